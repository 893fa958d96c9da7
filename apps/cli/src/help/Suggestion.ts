/** What was meant by a word that is none. */
import * as AutoCorrect from "@effect/cli/AutoCorrect"
import * as CliConfig from "@effect/cli/CliConfig"
import * as Region from "@vigil/health-schema/Region"

/** How many letters may differ: one, or a third of them. */
const tolerance = (word: string): number => Math.max(1, Math.floor(word.replace(/^-+/, "").length / 3))

const distance = (typed: string, word: string): number =>
  AutoCorrect.levensteinDistance(typed, word, CliConfig.defaultConfig)

/** The word that begins with what was typed, else the one that differs least from it; nothing where all differ much. */
const closest = (typed: string, words: ReadonlyArray<string>): string | undefined => {
  const begun = words.find((word) => typed !== "" && word.toLowerCase().startsWith(typed.toLowerCase()))
  if (begun !== undefined) return begun
  const [nearest] = words
    .map((word) => ({ word, distance: distance(typed, word) }))
    .filter((one) => one.distance <= tolerance(one.word))
    .toSorted((one, other) => one.distance - other.distance)
  return nearest?.word
}

/** The names that hold what was typed, else those that differ little from it: at most three, the nearest first. */
export const nearest = (typed: string, names: ReadonlyArray<string>): ReadonlyArray<string> => {
  const holding = names.filter((name) => Region.normalize(name).includes(Region.normalize(typed)))
  if (holding.length > 0) return holding.slice(0, 3)
  return names
    .map((name) => ({ name, distance: distance(Region.normalize(typed), Region.normalize(name)) }))
    .filter((one) => one.distance <= tolerance(one.name))
    .toSorted((one, other) => one.distance - other.distance)
    .slice(0, 3)
    .map(({ name }) => name)
}

/** The question after it, with a space before; nothing where there is no such word. */
export const ask = (typed: string, words: ReadonlyArray<string>, of = (word: string) => word): string => {
  const word = closest(typed, words)
  return word === undefined ? "" : ` Did you mean ${of(word)}?`
}
