/** Flags and arguments as data, for the parser, help, completions and errors. */
import { enumerate } from "@vigil/health-text/Sentence"
import * as Suggestion from "@vigil/health-text/Suggestion"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { UsageError } from "./UsageError.js"

/** How a text becomes a value. `label` is its placeholder in help; `from` names the flag or argument in errors. */
export interface Value<A> {
  readonly label: string
  /** The texts that shells complete: all that are accepted, if the choice is closed. */
  readonly choices?: ReadonlyArray<string>
  readonly parse: (text: string, from: string) => Effect.Effect<A, UsageError>
}

/** An argument: a required value without a flag. */
export interface Argument<A> extends Value<A> {
  readonly description: string
  readonly isRest?: boolean
}

/** The last argument of a command, which may be missing or repeated. */
export interface Rest<A> extends Argument<A> {
  readonly isRest: true
}

/** A flag. Without a `value`, it is boolean. */
export interface Flag<A> {
  readonly description: string
  readonly short: string | undefined
  readonly value: Value<unknown> | undefined
  readonly isRepeatable: boolean
  /** Reads the texts of the flag. The list is empty if the flag is missing. */
  readonly read: (texts: ReadonlyArray<string>, from: string) => Effect.Effect<A, UsageError>
}

const invalid = (from: string, text: string, form: string): UsageError =>
  new UsageError(`${from} ${JSON.stringify(text)} is invalid: pass ${form}.`)

export const text = (label: string): Value<string> => ({ label, parse: Effect.succeed })

/** A text that `parse` accepts. `form` describes the accepted texts in errors. */
export const parsed = <A>(label: string, form: string, parse: (text: string) => Option.Option<A>): Value<A> => ({
  label,
  parse: (text, from) =>
    Option.match(parse(text), {
      onNone: () => Effect.fail(invalid(from, text, form)),
      onSome: Effect.succeed,
    }),
})

export const integer = (label: string, least = -Infinity, most = Infinity): Value<number> => {
  const range = most < Infinity ? ` from ${least} to ${most}` : least > -Infinity ? ` of at least ${least}` : ""
  return parsed(label, `a whole number${range}`, (text) =>
    Option.liftPredicate(
      Number(text),
      (number) => text.trim() !== "" && Number.isSafeInteger(number) && number >= least && number <= most,
    ),
  )
}

export const port = integer("port", 0, 65_535)

/** A list for a sentence: `json, jsonl or csv`. */
export const either = (choices: ReadonlyArray<string>): string => enumerate(choices, "or")

export const oneOf = <const A extends string>(choices: ReadonlyArray<A>, label: string): Value<A> => ({
  label,
  choices,
  parse: (text, from) => {
    const known = choices.find((one) => one.toLowerCase() === text.toLowerCase())
    return known === undefined
      ? new UsageError(
          `${from} ${JSON.stringify(text)} is invalid: pass ${either(choices)}.${Suggestion.question(text, choices)}`,
        )
      : Effect.succeed(known)
  },
})

/** Fails if more than one of these flags is given. */
export const exclusive = (given: Readonly<Record<string, boolean>>): Effect.Effect<void, UsageError> => {
  const [first, second] = Object.keys(given).filter((name) => given[name])
  return second === undefined
    ? Effect.void
    : new UsageError(`${first} and ${second} are mutually exclusive: pass one of them.`)
}

const make = <A>(
  value: Value<unknown> | undefined,
  description: string,
  short: string | undefined,
  read: Flag<A>["read"],
): Flag<A> => ({ description, short, value, isRepeatable: false, read })

export const boolean = (description: string, short?: string): Flag<boolean> =>
  make(undefined, description, short, (texts) => Effect.succeed(texts.length > 0))

export const optional = <A>(value: Value<A>, description: string, short?: string): Flag<A | undefined> =>
  make(value, description, short, ([text], from) => (text === undefined ? Effect.undefined : value.parse(text, from)))

/** A flag with a default, which help shows. */
export const withDefault = <A>(value: Value<A>, text: string, description: string, short?: string): Flag<A> =>
  make(value, `${description} (default: ${text})`, short, ([given = text], from) => value.parse(given, from))

export const required = <A>(value: Value<A>, description: string): Flag<A> =>
  make(value, description, undefined, ([text], from) =>
    text === undefined ? new UsageError(`${from} is missing: pass ${from} <${value.label}>.`) : value.parse(text, from),
  )

export const repeated = <A>(value: Value<A>, description: string, short?: string): Flag<ReadonlyArray<A>> => ({
  ...make(value, description, short, (texts, from) => Effect.forEach(texts, (text) => value.parse(text, from))),
  isRepeatable: true,
})
