/** A change as text: its time, the change, the event, the differences, and what is new in words. */
import type * as Changes from "@vigil/health-schema/Changes"
import * as Timestamp from "@vigil/health-schema/Timestamp"
import * as Labels from "@vigil/health-text/Labels"
import * as PlainHtml from "@vigil/health-text/PlainHtml"
import * as Severity from "@vigil/health-text/Severity"
import * as TerminalText from "@vigil/health-text/TerminalText"
import * as Wrap from "@vigil/health-text/Wrap"
import * as Arr from "effect/Array"
import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import type { Change } from "../../connection/AnyEvent.js"
import * as Time from "../../flags/Time.js"
import * as Json from "../../output/Json.js"
import { plural } from "../../output/Output.js"
import * as ChangeLine from "../../watches/ChangeLine.js"

/** In cells. A longer value is not shown at all; other texts are cut. */
const maxWidth = { title: 120, value: 40, difference: 100, news: 160 }

const maxDifferences = 6

const text = (value: unknown): string | undefined => {
  if (typeof value === "string") return TerminalText.line(Timestamp.isTimestamp(value) ? Labels.minute(value) : value)
  return typeof value === "number" || typeof value === "boolean" ? String(value) : undefined
}

const isShort = (value: string | undefined): value is string => value !== undefined && value.length <= maxWidth.value

const field = ({ after, before, path }: Changes.FieldChange): string => {
  const name = Labels.field(path.replace(/^properties\./, ""))
  const [from, to] = [text(before ?? ""), text(after ?? "")]
  return isShort(from) && isShort(to) ? `${name} ${from || "none"} → ${to || "none"}` : name
}

const isTime = (path: string): boolean => /(^|\.)lastUpdateTime$/.test(path)

const verbs = { Added: "added", Removed: "removed" }

const part = (place: string, { fields, kind }: Changes.ServiceChange): ReadonlyArray<string> => {
  if (kind !== "Changed") return [`${place} ${verbs[kind]}`]
  const names = fields.filter((name) => !isTime(name)).map(Labels.field)
  return names.length === 0 ? [] : [`${place}: ${names.join(", ")}`]
}

const placeOf = ({ region, service }: { readonly service: string; readonly region: string }) =>
  `${service} in ${region}`

/** Unless `news` has their text. */
const countUpdates = (updates: ReadonlyArray<Changes.UpdateChange>): ReadonlyArray<string> =>
  Object.entries(Arr.groupBy(updates, (one) => `${placeOf(one)}: updates ${verbs[one.kind]}`)).map(
    ([label, { length }]) => `${label} ${length}`,
  )

const millis = ({ update }: Changes.UpdateChange): number =>
  Option.match(Timestamp.instant(update.updateDateTime), { onNone: () => 0, onSome: DateTime.toEpochMillis })

/** The new summary or description, for an event without a new update. */
const newProse = ({ fields, updates }: Changes.Changes) =>
  updates.some(({ kind }) => kind === "Added")
    ? undefined
    : fields.find(({ after, path }) => /^properties\.(summary|description)$/.test(path) && after)

/** What is new in words: the latest new update, else the new summary or description. */
const news = (changes: Changes.Changes): string => {
  const added = changes.updates.filter(({ kind }) => kind === "Added").toSorted((a, b) => millis(b) - millis(a))
  const texts = [...added.map(({ update }) => update.summary), newProse(changes)?.after]
    .filter((text) => typeof text === "string")
    .map((text) => Wrap.line(PlainHtml.text(text), maxWidth.news))
  const [first = "", ...others] = new Set(texts.filter((text) => text !== ""))
  return first + (others.length === 0 ? "" : ` (and ${plural(others.length, "more update")})`)
}

/** All differences, without those inside an added or removed service or region. */
const differences = (changes: Changes.Changes): ReadonlyArray<string> => {
  const { fields, regions, services } = changes
  const updates = news(changes) === "" ? changes.updates : []
  const prose = newProse(changes)
  const isComplete = ({ kind }: Changes.ServiceChange) => kind !== "Changed"
  const complete = new Set(services.filter(isComplete).map(({ service }) => service))
  const known = regions.filter(({ service }) => !complete.has(service))
  for (const one of known.filter(isComplete)) complete.add(placeOf(one))
  return [
    ...fields.filter((one) => one !== prose && !isTime(one.path)).map(field),
    ...services.flatMap((one) => part(one.service, one)),
    ...known.flatMap((one) => part(placeOf(one), one)),
    ...countUpdates(updates.filter((one) => !complete.has(one.service) && !complete.has(placeOf(one)))),
  ]
}

const summarize = (all: ReadonlyArray<string>): string =>
  [
    ...all.slice(0, maxDifferences).map((one) => Wrap.line(one, maxWidth.difference)),
    ...(all.length > maxDifferences ? [`${all.length - maxDifferences} more`] : []),
  ].join("; ")

const remark = (change: Change): string => {
  if (change._tag === "Disappeared") return "no longer listed"
  if (change._tag !== "Appeared") return summarize(differences(change.changes))
  const { eventType, status } = change.event.properties ?? {}
  return [eventType && Labels.type(change.event), Severity.level(change.event), status]
    .flatMap((word) => word || [])
    .join(", ")
}

const join = (parts: ReadonlyArray<string>, between: string): string =>
  parts.filter((part) => part !== "").join(between)

/** The title, the differences and what is new. */
const describe = (change: Change): string => {
  const details = TerminalText.line(remark(change))
  const title = Wrap.line(change.event.properties?.title ?? "", maxWidth.title)
  return join([join([title, details && `(${details})`], " "), "changes" in change ? news(change.changes) : ""], ": ")
}

const color = ({ _tag, event }: Change): TerminalText.Color | undefined =>
  _tag === "Resolved" ? "green" : Severity.color(Severity.level(event) ?? "")

/**
 * The change, safe for a terminal: one line, or lines that are wrapped at words. Its time (UTC) is the last update of the event; for
 * `Disappeared`, it is `now`.
 */
export const lines = (change: Change, now: DateTime.Utc, options: ChangeLine.Options = {}): ReadonlyArray<string> => {
  const { _tag, event } = change
  const updated = _tag === "Disappeared" ? undefined : Labels.minute(event.properties?.lastUpdateTime)
  const parts = { tag: _tag, name: event.name ?? "", nameWidth: "AB12-CD3".length, text: describe(change) }
  return ChangeLine.lines({ ...parts, time: updated || Time.minute(now), color: color(change) }, options)
}

/** The change as one line of JSON. `at` is the time of printing (UTC). */
export const json = (change: Change, now: DateTime.Utc, subscription?: string): string => {
  const { _tag, ...rest } = change
  // A watch emits no event that is nested too deeply for JSON.
  return Json.text({ at: DateTime.formatIso(now), ...(subscription && { subscription }), change: _tag, ...rest })
}
