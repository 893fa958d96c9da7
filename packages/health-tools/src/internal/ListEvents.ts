/** `list_events`: the events of a query, latest update first. */
import * as Arr from "effect/Array"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Answer from "./Answer.js"
import * as Query from "./Query.js"
import * as Row from "./Row.js"

export const parameters = Schema.Struct({ ...Query.fields, cursor: Answer.cursorParameter })

export const success = Schema.Struct({
  total: Schema.Finite,
  events: Schema.Array(Row.Row),
  ...Answer.fields,
  failed: Query.failed,
})

/** A cursor keeps the query and its start, so that all answers are of the same list. */
const cursors = Answer.cursors(
  Schema.Struct({ query: Query.Query, since: Schema.DateTimeUtcFromMillis, offset: Schema.Natural }),
)

export const handle = Effect.fnUntraced(function* (
  { cursor, ...given }: typeof parameters.Type,
  options: Query.Options,
) {
  const { offset, query, since } =
    cursor === undefined
      ? { query: given, since: Query.since(given, yield* DateTime.now), offset: 0 }
      : yield* cursors.decode(cursor)
  const { failed, found } = yield* Query.read(query, since, options)
  return Answer.from(
    Arr.sort(found, Row.byUpdate).map(Row.fromFound),
    offset,
    options.budget,
    (events, more) => ({ total: found.length, events, ...more, failed }),
    (offset) => cursors.encode({ query, since, offset }),
  )
})
