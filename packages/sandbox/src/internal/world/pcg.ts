/** The random generator PCG-XSH-RR: 64 bits of state, 32 bits of output. Of one seed, every sandbox has the same world. */

const multiplier = 0x5851_f42d_4c95_7f2dn
const increment = 0x1405_7b7e_f767_814fn
const uint64 = (value: bigint) => BigInt.asUintN(64, value)

export interface Pcg {
  /** From 0 to 1, with 53 random bits. */
  readonly number: () => number
  /** From 0 to `max - 1`. */
  readonly integer: (max: number) => number
}

export const make = (seedHigh: number, seedLow: number): Pcg => {
  let state = 0n
  const next = (): number => {
    const old = state
    state = uint64(old * multiplier + increment)
    const xorShifted = Number(BigInt.asUintN(32, ((old >> 18n) ^ old) >> 27n))
    const rotation = Number(old >> 59n)
    return ((xorShifted >>> rotation) | (xorShifted << (-rotation & 31))) >>> 0
  }
  const number = () => {
    const high = next() & 0x03ff_ffff
    return (high * 2 ** 27 + (next() & 0x07ff_ffff)) / 2 ** 53
  }
  next()
  state = uint64(state + ((BigInt(seedHigh >>> 0) << 32n) | BigInt(seedLow >>> 0)))
  next()
  return { number, integer: (max) => Math.round(number() * Number.MAX_SAFE_INTEGER) % max }
}
