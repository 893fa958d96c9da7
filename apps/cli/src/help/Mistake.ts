/** What is wrong with arguments that could not be read: a sentence that names the flag, and what may have been meant. */
import * as Manual from "./Manual.js"
import * as Suggestion from "./Suggestion.js"

/** Why `@effect/cli` refused the arguments. `isMissing`: a required flag or argument was not given, or a flag has no value. */
export interface Refusal {
  readonly reason: string
  readonly isMissing: boolean
}

/** A flag as it was given. */
interface Given {
  readonly name: string
  readonly flag: Manual.Flag | undefined
  readonly value: string | undefined
}

const known = (manual: Manual.Manual): ReadonlyArray<Manual.Flag> => [...manual.flags, ...Manual.common, ...Manual.own]

const namesOf = (flags: ReadonlyArray<Manual.Flag>): ReadonlyArray<string> =>
  flags.flatMap(({ names }) => names).filter((name) => name.startsWith("--"))

/** The flags among the arguments, and what was given as their values. */
const given = (flags: ReadonlyArray<Manual.Flag>, [argument, ...rest]: ReadonlyArray<string>): ReadonlyArray<Given> => {
  if (argument === undefined || argument === "--") return []
  const [, name = "", equals] = /^(--?[^=-][^=]*)(?:=(.*))?$/s.exec(argument) ?? []
  if (name === "") return given(flags, rest)
  const flag = flags.find(({ names }) => names.includes(name))
  const apart = flag?.value !== undefined && equals === undefined
  const value = apart ? rest[0] : equals
  return [{ name, flag, value }, ...given(flags, apart ? rest.slice(1) : rest)]
}

const wrong = (
  manual: Manual.Manual,
  { flag, name, value }: Given,
  before: ReadonlyArray<Given>,
): string | undefined => {
  if (flag === undefined) return `${manual.path} has no flag ${name}.${Suggestion.ask(name, namesOf(known(manual)))}`
  if (!flag.repeatable && before.some((one) => one.flag === flag)) return `${name} is given twice: give it once.`
  if (flag.value !== undefined && value === undefined)
    return `${name} lacks its value: give ${name} ${flag.choices.length === 0 ? flag.value : flag.choices.join(" or ")}.`
  if (value !== undefined && flag.choices.length > 0 && !flag.choices.includes(value))
    return `${name} ${JSON.stringify(value)} is none of ${flag.choices.join(", ")}.${Suggestion.ask(value, flag.choices)}`
  return undefined
}

/** A flag or an argument that is required and was not given: `@effect/cli` names it. */
const missing = (manual: Manual.Manual, all: ReadonlyArray<Given>, reason: string): string | undefined => {
  const flag = manual.flags.find(
    (flag) => !all.some((one) => one.flag === flag) && flag.names.some((name) => reason.includes(`'${name}'`)),
  )
  if (flag !== undefined) return `${flag.names.at(-1)} is missing: give ${flag.names.at(-1)} ${flag.value ?? ""}.`
  const argument = manual.args.find(({ label }) => reason.includes(`argument ${label}`))
  return argument === undefined
    ? undefined
    : `${argument.label} is missing: give ${[manual.path, ...manual.args.map(({ label }) => label)].join(" ")}.`
}

/**
 * The first mistake in the arguments of a command, those after its name; nothing where none is found, as every flag is known, given
 * once, and has one of its values. `reason` is why they could not be read: where it repeats the value of a flag, the flag is named.
 */
export const find = (
  manual: Manual.Manual,
  args: ReadonlyArray<string>,
  { isMissing, reason }: Refusal,
): string | undefined => {
  const all = given(known(manual), args)
  const mistakes = all.map((one, index) => wrong(manual, one, all.slice(0, index)))
  const mistake = mistakes.find((sentence) => sentence !== undefined)
  if (mistake !== undefined) return mistake
  if (isMissing) return missing(manual, all, reason)
  const culprit = all.find(({ value }) => value !== undefined && reason.includes(`'${value}'`))
  return culprit === undefined
    ? undefined
    : `${culprit.name}: ${reason.replace("a integer", "a whole number").replace(/[.?!]?$/, ".")}`
}
