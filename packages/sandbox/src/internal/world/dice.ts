/** Random values that depend only on a seed, and on a stream if there are several per seed. */
import * as pcg from "./pcg.js"

export interface Dice {
  readonly between: (min: number, max: number) => number
  readonly chance: (probability: number) => boolean
  readonly pick: <A>(from: readonly [A, ...ReadonlyArray<A>]) => A
  readonly sample: <A>(from: ReadonlyArray<A>, count: number) => ReadonlyArray<A>
  readonly guid: (prefix?: string) => string
  readonly text: (alphabet: string, length: number) => string
}

export const make = (seed: number, stream = 0): Dice => {
  const random = pcg.make(stream, seed)
  const between: Dice["between"] = (min, max) => min + random.integer(max - min + 1)
  const text: Dice["text"] = (alphabet, length) =>
    Array.from({ length }, () => alphabet.charAt(random.integer(alphabet.length))).join("")
  const hex = (length: number) => text("0123456789abcdef", length)
  return {
    between,
    text,
    chance: (probability) => random.number() < probability,
    pick: (from) => from[random.integer(from.length)] ?? from[0],
    sample: (from, count) => {
      const chosen = from
        .map((value, index) => ({ value, index, order: random.number() }))
        .toSorted((a, b) => a.order - b.order)
        .slice(0, count)
      return chosen.toSorted((a, b) => a.index - b.index).map(({ value }) => value)
    },
    guid: (prefix = "") => `${(prefix + hex(8)).slice(0, 8)}-${hex(4)}-4${hex(3)}-8${hex(3)}-${hex(12)}`,
  }
}
