/** `list_events`: the events of a query, latest update first. */
import * as Arr from "effect/Array"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Answer from "./Answer.js"
import * as Query from "./Query.js"
import * as Row from "./Row.js"

export const parameters = Schema.Struct({ ...Query.fields, cursor: Answer.cursor })

export const success = Answer.schema(
  { total: Schema.Finite, invalidEntries: Schema.Finite, failed: Query.failed },
  Row.Row,
)

export const make = (options: Query.Options) =>
  Answer.paged(
    options.budget,
    Effect.fnUntraced(function* (query: typeof Query.Query.Type) {
      const { failed, found, invalid } = yield* Query.read(query, Query.since(query, yield* DateTime.now), options)
      const entries = Arr.sort(found, Row.byUpdate).map(Row.fromFound)
      return { head: { total: found.length, invalidEntries: invalid, failed }, entries }
    }),
  )
