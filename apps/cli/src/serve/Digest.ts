/** An event as a few lines of plain text, for the calendar and the feed. */
import * as PlainHtml from "@vigil/notify/PlainHtml"
import * as Timestamp from "@vigil/health-schema/Timestamp"
import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import type { AnyEvent } from "../events/AnyEvent.js"
import * as Graphemes from "../output/Graphemes.js"
import * as TerminalText from "../output/TerminalText.js"
import * as Labels from "../report/Labels.js"

/** In UTF-16 code units. `html` is enough for a text, and fast to convert. */
const maxLength = { title: 200, names: 500, text: 4_000, html: 20_000 }

/** Removes control, invisible and bidi characters, and noncharacters, which XML 1.0 forbids. Keeps line breaks. */
const plain = (text: string, length: number): string =>
  Graphemes.truncate(
    Graphemes.truncate(text, maxLength.html)
      .split(/\r\n?|\n/)
      .map((line) => TerminalText.line(line).replace(/[\ufffe\uffff]/g, "\ufffd"))
      .join("\n")
      .replace(/\n{3,}/g, "\n\n")
      .trim(),
    length,
  )

/** One line of plain text. */
export const line = (text: string, length = maxLength.names): string => plain(text, length).replace(/\n+/g, " ")

/** The names on one line. */
export const names = (all: ReadonlyArray<string>): string => line(all.join(", "))

export const title = (event: AnyEvent): string =>
  line(Labels.title(event), maxLength.title) || "An event without a title"

/** Calendars and feeds have years of four digits. A zone can lead beyond them. */
const hasFourDigits = (instant: DateTime.Utc): boolean => /^\d{4}-/.test(DateTime.formatIso(instant))

/** Milliseconds since 1970. */
export const time = (timestamp: Timestamp.Timestamp | null | undefined): number | undefined =>
  Timestamp.instant(timestamp).pipe(
    Option.filter(hasFourDigits),
    Option.map(DateTime.toEpochMillis),
    Option.getOrUndefined,
  )

const latestUpdate = ({ properties }: AnyEvent): string => {
  let latest = { at: -Infinity, summary: "" }
  for (const { impactedRegions } of properties?.impact ?? [])
    for (const { updates } of impactedRegions ?? [])
      for (const { summary, updateDateTime } of updates ?? []) {
        const at = time(updateDateTime) ?? 0
        if (summary && at > latest.at) latest = { at, summary }
      }
  return latest.summary
}

/** Type, level and status, the services and regions, the summary and the latest update. */
export const text = (event: AnyEvent): string => {
  const { description, status, summary } = event.properties ?? {}
  const facts = [Labels.type(event), Labels.level(event), Labels.status(status)].map((one) => line(one)).join(", ")
  const places = [names(Labels.services(event)), names(Labels.regions(event))].filter((one) => one !== "").join(" in ")
  const texts = [summary || description, latestUpdate(event)].map((html) =>
    plain(PlainHtml.text(Graphemes.truncate(html ?? "", maxLength.html)), maxLength.text),
  )
  return [`${facts}\n${places}`.trim(), ...new Set(texts)].filter((one) => one !== "").join("\n\n")
}
