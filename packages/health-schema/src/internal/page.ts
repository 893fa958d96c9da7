/** Decodes a page of any list: the envelope first, then each entry, so that an invalid one does not fail the page. */
import * as Result from "effect/Result"
import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"
import type { InvalidField } from "../InvalidField.js"
import { check } from "./issue.js"
import { optional, record, text } from "./record.js"

export interface InvalidEntry {
  /** Its index in `value`. */
  readonly index: number
  /** The path of the invalid field, in the service's names; empty for the whole entry. */
  readonly path: string
  /** The problem, as a phrase that follows the path. */
  readonly problem: string
  /** The entry as it was sent. */
  readonly raw: unknown
}

export interface Page<A> {
  /** The valid entries, in order. */
  readonly items: ReadonlyArray<A>
  readonly invalid: ReadonlyArray<InvalidEntry>
  /** The link to the next page, unchanged; `undefined` on the last page. */
  readonly nextLink: string | undefined
  /** The page as it was sent, with unknown fields. */
  readonly raw: unknown
}

/** The schema of a page of entries. */
export const schema = <A, I>(name: string, entry: Schema.Codec<A, I>) =>
  record(name, { value: Schema.Array(entry), nextLink: text })

/** The schema of a page whose `value` is optional. */
export const optionalSchema = <A, I>(name: string, entry: Schema.Codec<A, I>) =>
  record(name, { value: optional(Schema.Array(entry)), nextLink: text })

const decodeEnvelope = check(
  record("EventsPage", { value: Schema.Array(Schema.Unknown), nextLink: text }),
  (input) =>
    Predicate.isObject(input) &&
    Array.isArray(input["value"]) &&
    (Predicate.isString(input["nextLink"]) || input["nextLink"] === null),
)

export const decodePage =
  <A>(decodeEntry: (input: unknown) => Result.Result<A, InvalidField>) =>
  (input: unknown): Result.Result<Page<A>, InvalidField> =>
    Result.map(decodeEnvelope(input), ({ nextLink, value }) => {
      const items: Array<A> = []
      const invalid: Array<InvalidEntry> = []
      value.forEach((raw, index) => {
        const decoded = decodeEntry(raw)
        if (Result.isSuccess(decoded)) items.push(decoded.success)
        else invalid.push({ index, path: decoded.failure.path, problem: decoded.failure.problem, raw })
      })
      return {
        items,
        invalid,
        nextLink: nextLink?.trim() ? nextLink : undefined,
        raw: input,
      }
    })

/** Decodes a page of a list whose document says that `value` is optional: a page without it is empty. */
export const decodeOptionalPage = <A>(
  decodeEntry: (input: unknown) => Result.Result<A, InvalidField>,
): ((input: unknown) => Result.Result<Page<A>, InvalidField>) => {
  const decode = decodePage(decodeEntry)
  return (input) =>
    Predicate.isObject(input) && Predicate.isNullish(input["value"])
      ? Result.map(decode({ ...input, value: [] }), (page) => ({ ...page, raw: input }))
      : decode(input)
}
