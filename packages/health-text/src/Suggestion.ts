/** Suggestions for mistyped names. */
import * as Region from "@vigil/health-schema/Region"

/** Longer names are not compared by distance. */
const maxLength = 100

/** For each beginning of `other`, how many letters are added, missing, replaced, or swapped with the next one. The last is of the whole text. */
const distances = (one: string, other: string): ReadonlyArray<number> => {
  const first = Array.from({ length: other.length + 1 }, (_, index) => index)
  let [before, above] = [first, first]
  for (let row = 0; row < one.length; row++) {
    const current = [row + 1]
    for (let column = 0; column < other.length; column++) {
      const isSwapped = row > 0 && column > 0 && one[row] === other[column - 1] && one[row - 1] === other[column]
      const replaced = (above[column] ?? 0) + (one[row] === other[column] ? 0 : 1)
      const swapped = isSwapped ? (before[column - 1] ?? 0) + 1 : replaced
      current.push(Math.min(replaced, swapped, (above[column + 1] ?? 0) + 1, (current[column] ?? 0) + 1))
    }
    ;[before, above] = [above, current]
  }
  return above
}

interface Name {
  readonly name: string
  readonly normalized: string
}

/** The name from each of its words on. */
const fromWords = (name: string): ReadonlyArray<string> =>
  Array.from(name.matchAll(/[^\s-]+/g), ({ index }) => Region.normalize(name.slice(index)))

/**
 * Returns at most three names, nearest first: those that contain the text, else those with up to a third of the letters different, else those
 * with a word that begins like the text, except for a quarter of its letters. Two swapped letters are one mistake. Ignores case, spaces and dashes.
 * @category comparing @since 0.2.0
 */
export const nearest = (typed: string, names: ReadonlyArray<string>): ReadonlyArray<string> => {
  const wanted = Region.normalize(typed)
  const all = names.map((name) => ({ name, normalized: Region.normalize(name) }))
  const isPart = (name: string) =>
    wanted !== "" && (name.startsWith(wanted) || (wanted.length > 2 && name.includes(wanted)))
  const near = (differing: (one: Name) => number, most: (one: Name) => number) =>
    wanted === "" || wanted.length > maxLength
      ? []
      : all
          .map((one) => ({ ...one, differing: differing(one) }))
          .filter((one) => one.differing <= most(one))
          .toSorted((one, other) => one.differing - other.differing)
  const wholes = ({ normalized }: Name) => distances(wanted, normalized).at(-1) ?? 0
  const words = ({ name }: Name) => Math.min(...fromWords(name).flatMap((part) => distances(wanted, part)))
  const containing = () => all.filter(({ normalized }) => isPart(normalized))
  const similar = () => near(wholes, ({ normalized }) => Math.max(1, Math.floor(normalized.length / 3)))
  const beginning = () => near(words, () => Math.floor(wanted.length / 4))
  for (const find of [containing, similar, beginning]) {
    const found = find()
    if (found.length > 0) return found.slice(0, 3).map(({ name }) => name)
  }
  return []
}

/** Returns a question to append to an error, such as ` Did you mean Active?`, or an empty text. @category conversions @since 0.2.0 */
export const question = (typed: string, names: ReadonlyArray<string>, format = (name: string) => name): string => {
  const [name] = nearest(typed, names)
  return name === undefined ? "" : ` Did you mean ${format(name)}?`
}
