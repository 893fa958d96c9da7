/** Suggestions for mistyped names. */
import * as Region from "@vigil/health-schema/Region"

/** Longer names are not compared by distance. */
const maxLength = 100

/** How many letters are added, missing, replaced, or swapped with the next one. */
const distance = (one: string, other: string): number => {
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
  return above.at(-1) ?? 0
}

/**
 * Returns at most three names, nearest first: those that contain the text, else those with up to a third of the letters different, where two
 * swapped letters are one mistake. Ignores case, spaces and dashes.
 * @category comparing @since 0.2.0
 */
export const nearest = (typed: string, names: ReadonlyArray<string>): ReadonlyArray<string> => {
  const wanted = Region.normalize(typed)
  const all = names.map((name) => ({ name, normalized: Region.normalize(name) }))
  const isPart = (name: string) =>
    wanted !== "" && (name.startsWith(wanted) || (wanted.length > 2 && name.includes(wanted)))
  const containing = all.filter(({ normalized }) => isPart(normalized))
  const near = () =>
    wanted.length > maxLength
      ? []
      : all
          .map((one) => ({ ...one, differing: distance(wanted, one.normalized) }))
          .filter(({ differing, normalized }) => differing <= Math.max(1, Math.floor(normalized.length / 3)))
          .toSorted((one, other) => one.differing - other.differing)
  return (containing.length > 0 ? containing : near()).slice(0, 3).map(({ name }) => name)
}

/** Returns a question to append to an error, such as ` Did you mean Active?`, or an empty text. @category conversions @since 0.2.0 */
export const question = (typed: string, names: ReadonlyArray<string>, format = (name: string) => name): string => {
  const [name] = nearest(typed, names)
  return name === undefined ? "" : ` Did you mean ${format(name)}?`
}
