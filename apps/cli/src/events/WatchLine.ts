/** A change on one line: time, change, event and differences. */
import type * as Changes from "@vigil/health-schema/Changes"
import * as Arr from "effect/Array"
import * as DateTime from "effect/DateTime"
import * as Json from "../output/Json.js"
import * as Wrap from "@vigil/health-report/Wrap"
import * as TerminalText from "@vigil/health-report/TerminalText"
import type { Change } from "./AnyEvent.js"
import * as Labels from "@vigil/health-report/Labels"
import * as Severity from "@vigil/health-report/Severity"
import * as Time from "../Time.js"

/** In cells. A longer value is not shown at all. */
const maxWidth = { title: 120, value: 40, difference: 100 }

const maxDifferences = 6

const text = (value: unknown): string | undefined =>
  typeof value === "string" || typeof value === "number" || typeof value === "boolean"
    ? TerminalText.line(String(value))
    : undefined

const isShort = (value: string | undefined): value is string => value !== undefined && value.length <= maxWidth.value

const field = ({ after, before, path }: Changes.FieldChange): string => {
  const name = path.replace(/^properties\./, "")
  const [from, to] = [text(before ?? ""), text(after ?? "")]
  return isShort(from) && isShort(to) ? `${name} ${from || "none"} → ${to || "none"}` : name
}

const isTime = (path: string): boolean => /(^|\.)lastUpdateTime$/.test(path)

const verbs = { Added: "added", Removed: "removed" }

const part = (place: string, { fields, kind }: Changes.ServiceChange): ReadonlyArray<string> => {
  if (kind !== "Changed") return [`${place} ${verbs[kind]}`]
  const names = fields.filter((name) => !isTime(name))
  return names.length === 0 ? [] : [`${place}: ${names.join(", ")}`]
}

const placeOf = ({ region, service }: { readonly service: string; readonly region: string }) =>
  `${service} in ${region}`

const countUpdates = (updates: ReadonlyArray<Changes.UpdateChange>): ReadonlyArray<string> =>
  Object.entries(Arr.groupBy(updates, (one) => `${placeOf(one)}: updates ${verbs[one.kind]}`)).map(
    ([label, { length }]) => `${label} ${length}`,
  )

/** All differences, without those inside an added or removed service or region. */
const differences = ({ fields, regions, services, updates }: Changes.Changes): ReadonlyArray<string> => {
  const isComplete = ({ kind }: Changes.ServiceChange) => kind !== "Changed"
  const complete = new Set(services.filter(isComplete).map(({ service }) => service))
  const known = regions.filter(({ service }) => !complete.has(service))
  for (const one of known.filter(isComplete)) complete.add(placeOf(one))
  return [
    ...fields.filter(({ path }) => !isTime(path)).map(field),
    ...services.flatMap((one) => part(one.service, one)),
    ...known.flatMap((one) => part(placeOf(one), one)),
    ...countUpdates(updates.filter((one) => !complete.has(one.service) && !complete.has(placeOf(one)))),
  ]
}

const summarize = (all: ReadonlyArray<string>): string =>
  [
    ...all.slice(0, maxDifferences).map((one) => Wrap.cut(TerminalText.line(one), maxWidth.difference)),
    ...(all.length > maxDifferences ? [`${all.length - maxDifferences} more`] : []),
  ].join("; ")

const remark = (change: Change): string => {
  if (change._tag === "Disappeared") return "no longer listed"
  if (change._tag !== "Appeared") return summarize(differences(change.changes))
  const { eventType, status } = change.event.properties ?? {}
  return [eventType, Severity.level(change.event), status]
    .filter((word) => word !== null && word !== undefined && word !== "")
    .join(", ")
}

/**
 * The line, safe for a terminal. Its time (UTC) is the last update of the event; for `Disappeared`, it is `now`. The subscription is at the
 * end.
 */
export const line = (change: Change, now: DateTime.Utc, subscription?: string): string => {
  const { name, properties } = change.event
  const updated = change._tag === "Disappeared" ? undefined : Labels.minute(properties?.lastUpdateTime)
  const details = TerminalText.line(remark(change))
  return [
    TerminalText.line(updated || Time.minute(now)),
    change._tag.padEnd("Disappeared".length),
    TerminalText.line(name ?? "").padEnd("AB12-CD3".length),
    `${Wrap.cut(TerminalText.line(properties?.title ?? ""), maxWidth.title)}${details === "" ? "" : ` (${details})`}`.trim(),
    ...(subscription === undefined ? [] : [`[${TerminalText.line(subscription)}]`]),
  ]
    .join("  ")
    .trimEnd()
}

/** The change as one line of JSON. `at` is the time of printing (UTC). */
export const json = (change: Change, now: DateTime.Utc, subscription?: string): string => {
  const { _tag, ...rest } = change
  // A watch emits no event that is nested too deeply for JSON.
  return Json.text({ at: DateTime.formatIso(now), ...(subscription && { subscription }), change: _tag, ...rest })
}
