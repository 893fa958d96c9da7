/** `get_event`: one event with its texts, updates newest first. */
import type * as HealthEvent from "@vigil/health-schema/HealthEvent"
import * as Sensitive from "@vigil/health-schema/Sensitive"
import * as Timestamp from "@vigil/health-schema/Timestamp"
import * as Arr from "effect/Array"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Record from "effect/Record"
import * as Schema from "effect/Schema"
import * as Answer from "./Answer.js"
import * as Query from "./Query.js"
import * as quote from "./quote.js"
import * as Row from "./Row.js"

export const parameters = Schema.Struct({ ...Query.one, cursor: Answer.cursor })

const Text = Schema.Struct({ kind: Schema.String, updatedAt: Schema.String, quotedText: Schema.String })

export const success = Answer.schema(
  { event: Schema.Record(Schema.String, Schema.String), withheldTexts: Schema.Array(Schema.String) },
  Text,
)

/** A longer text continues in the next entry. */
const maxLength = 1500

const split = (kind: string, html: string | null | undefined, updatedAt = ""): ReadonlyArray<typeof Text.Type> => {
  const pieces: Array<typeof Text.Type> = []
  let rest = quote.text(html ?? "")
  while (rest !== "") {
    const quotedText = quote.cut(rest, maxLength)
    rest = rest.slice(quotedText.length)
    pieces.push({ kind, updatedAt, quotedText })
  }
  return pieces
}

const millis = ({ at }: { readonly at: Timestamp.Timestamp | null | undefined }): number =>
  Option.match(Timestamp.instant(at), { onNone: () => 0, onSome: DateTime.toEpochMillis })

const textsOf = ({ properties }: HealthEvent.AnyEvent) => {
  const updates = (properties?.impact ?? []).flatMap(({ impactedRegions, impactedService }) =>
    (impactedRegions ?? []).flatMap(({ impactedRegion, updates }) =>
      (updates ?? []).map(({ summary, updateDateTime }) => ({
        place: `${Row.name(impactedService)} in ${Row.name(impactedRegion)}`,
        summary,
        at: updateDateTime,
      })),
    ),
  )
  // Services repeat an update in each region.
  const same = Record.values(Arr.groupBy(updates, ({ at, summary }) => `${at} ${summary}`)).filter(
    (all) => all !== undefined,
  )
  const newest = same.toSorted(([one], [other]) => millis(other) - millis(one))
  return [
    ...split("summary", properties?.summary),
    ...split("description", properties?.description),
    ...newest.flatMap((all) =>
      split(`update on ${Row.some(all.map(({ place }) => place)).join(", ")}`, all[0].summary, all[0].at ?? ""),
    ),
  ]
}

export const make = (options: Query.Options) =>
  Answer.paged(
    options.budget,
    Effect.fnUntraced(function* (given: Query.One) {
      const { event, subscription } = yield* Query.find(given, options)
      const facts = Row.toFacts({ event, subscriptions: [subscription] })
      return { head: { event: facts, withheldTexts: Sensitive.withheldTexts(event) }, entries: textsOf(event) }
    }),
  )
