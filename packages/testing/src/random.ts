/** Random numbers for tests. */
import type * as Random from "effect/Random"

/** Repeats these numbers from 0 to 1. */
export const fixed = (numbers: readonly [number, ...ReadonlyArray<number>]): (typeof Random.Random)["Service"] => {
  let index = 0
  const next = () => numbers[index++ % numbers.length] ?? numbers[0]
  return { nextDoubleUnsafe: next, nextIntUnsafe: () => Math.floor(next() * Number.MAX_SAFE_INTEGER) }
}

/** A reproducible sequence of numbers. */
export interface Sequence {
  /** From 0 to 1, without 1. */
  readonly number: () => number
  /** From 0 to the limit, without the limit. */
  readonly integer: (limit: number) => number
}

/** Mulberry32. */
export const sequence = (seed: number): Sequence => {
  let state = seed >>> 0
  const number = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  return { number, integer: (limit) => Math.floor(number() * limit) }
}
