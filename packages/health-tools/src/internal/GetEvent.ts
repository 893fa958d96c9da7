/** `get_event`: one event with its texts, updates newest first. */
import type * as HealthEvent from "@vigil/health-schema/HealthEvent"
import * as Sensitive from "@vigil/health-schema/Sensitive"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Order from "effect/Order"
import * as Schema from "effect/Schema"
import * as Answer from "./Answer.js"
import * as Query from "./Query.js"
import * as quote from "./quote.js"
import * as Row from "./Row.js"

export const parameters = Schema.Struct({ ...Query.one, cursor: Answer.cursorParameter })

const Text = Schema.Struct({ of: Schema.String, at: Schema.String, quotedText: Schema.String })

export const success = Schema.Struct({
  event: Schema.Record(Schema.String, Schema.String),
  withheldTexts: Schema.Array(Schema.String),
  texts: Schema.Array(Text),
  ...Answer.fields,
})

/** A longer text continues in the next entry. */
const pieceLength = 1500

const pieces = (of: string, html: string | null | undefined, at = ""): ReadonlyArray<typeof Text.Type> => {
  const text = quote.text(html ?? "")
  return Arr.makeBy(Math.ceil(text.length / pieceLength), (index) => ({
    of,
    at,
    quotedText: text.slice(index * pieceLength, (index + 1) * pieceLength),
  })).filter(({ quotedText }) => quotedText !== "")
}

const textsOf = ({ properties }: HealthEvent.AnyEvent) => {
  const updates = (properties?.impact ?? []).flatMap(({ impactedRegions, impactedService }) =>
    (impactedRegions ?? []).flatMap(({ impactedRegion, updates }) =>
      (updates ?? []).map(({ summary, updateDateTime }) => ({
        of: `update on ${Row.name(impactedService)} in ${Row.name(impactedRegion)}`,
        summary,
        at: updateDateTime ?? "",
      })),
    ),
  )
  const newest = Arr.sortWith(updates, ({ at }) => at, Order.flip(Order.String))
  const seen = new Set<string>()
  const distinct = newest.filter(({ at, summary }) => seen.size < seen.add(`${at} ${summary}`).size)
  return [
    ...pieces("summary", properties?.summary),
    ...pieces("description", properties?.description),
    ...distinct.flatMap(({ at, of, summary }) => pieces(of, summary, at)),
  ]
}

export const handle = Effect.fnUntraced(function* (given: typeof parameters.Type, options: Query.Options) {
  const start = yield* Answer.offset(given.cursor)
  const { event, subscription } = yield* Query.find(given, options)
  const answer = {
    event: Row.toFacts({ event, subscriptions: [subscription] }),
    withheldTexts: Sensitive.withheldTexts(event),
  }
  return Answer.from(textsOf(event), start, options.budget, (texts, more) => ({ ...answer, texts, ...more }))
})
