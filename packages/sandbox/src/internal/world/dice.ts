/** Random values that depend only on a seed, and on a stream if there are several per seed. */

const multiplier = 0x5851_f42d_4c95_7f2dn
const increment = 0x1405_7b7e_f767_814fn
const uint64 = (value: bigint) => BigInt.asUintN(64, value)

/** The random generator PCG-XSH-RR: 64 bits of state, 32 bits of output. Of one seed, every sandbox has the same world. */
const pcg = (seedHigh: number, seedLow: number) => {
  let state = 0n
  const next = (): number => {
    const old = state
    state = uint64(old * multiplier + increment)
    const xorShifted = Number(BigInt.asUintN(32, ((old >> 18n) ^ old) >> 27n))
    const rotation = Number(old >> 59n)
    return ((xorShifted >>> rotation) | (xorShifted << (-rotation & 31))) >>> 0
  }
  /** From 0 to 1, with 53 random bits. */
  const number = () => {
    const high = next() & 0x03ff_ffff
    return (high * 2 ** 27 + (next() & 0x07ff_ffff)) / 2 ** 53
  }
  next()
  state = uint64(state + ((BigInt(seedHigh >>> 0) << 32n) | BigInt(seedLow >>> 0)))
  next()
  return { number, integer: (max: number) => Math.round(number() * Number.MAX_SAFE_INTEGER) % max }
}

export const make = (seed: number, stream = 0) => {
  const random = pcg(stream, seed)
  const between = (min: number, max: number): number => min + random.integer(max - min + 1)
  const text = (alphabet: string, length: number): string =>
    Array.from({ length }, () => alphabet.charAt(random.integer(alphabet.length))).join("")
  const hex = (length: number) => text("0123456789abcdef", length)
  return {
    between,
    text,
    chance: (probability: number): boolean => random.number() < probability,
    pick: <A>(from: readonly [A, ...ReadonlyArray<A>]): A => from[random.integer(from.length)] ?? from[0],
    sample: <A>(from: ReadonlyArray<A>, count: number): ReadonlyArray<A> => {
      const chosen = from
        .map((value, index) => ({ value, index, order: random.number() }))
        .toSorted((a, b) => a.order - b.order)
        .slice(0, count)
      return chosen.toSorted((a, b) => a.index - b.index).map(({ value }) => value)
    },
    guid: (prefix = "") => `${(prefix + hex(8)).slice(0, 8)}-${hex(4)}-4${hex(3)}-8${hex(3)}-${hex(12)}`,
  }
}

export type Dice = ReturnType<typeof make>
