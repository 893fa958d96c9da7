/** Planned maintenance as a calendar (iCalendar, RFC 5545). */
import * as Labels from "@vigil/health-text/Labels"
import * as PlainHtml from "@vigil/health-text/PlainHtml"
import * as SafeText from "@vigil/health-text/SafeText"
import * as TerminalText from "@vigil/health-text/TerminalText"
import * as Wrap from "@vigil/health-text/Wrap"
import type { AnyEvent } from "../connection/AnyEvent.js"
import type * as Maintenance from "./Maintenance.js"

/** In UTF-16 code units. `html` is enough for a text, and fast to convert. */
const maxLength = { title: 200, names: 500, text: 4_000, html: 20_000 }

/** In octets, without the line break (3.1). */
const maxLine = 75

/** Folds a line without splitting characters. */
const fold = (line: string): string => {
  let text = ""
  let length = 0
  for (const character of line) {
    const size = Buffer.byteLength(character)
    if (length + size > maxLine) {
      text += "\r\n "
      length = 1
    }
    text += character
    length += size
  }
  return text
}

const lines = (all: ReadonlyArray<string>): string => all.map((line) => `${fold(line)}\r\n`).join("")

/** A value of the type TEXT (3.3.11). The text has no control characters except line breaks. */
const escape = (text: string): string => text.replace(/[\\;,]/g, String.raw`\$&`).replaceAll("\n", String.raw`\n`)

const dateTime = (millis: number): string => new Date(millis).toISOString().replace(/[-:]|\.\d+/g, "")

/** Seconds since 2020: increases with each version, and fits 32 bits until 2088. */
const sequence = (millis: number): string => String(Math.max(0, Math.floor((millis - Date.UTC(2020)) / 1000)))

const oneLine = (text: string, length = maxLength.names): string => SafeText.cut(TerminalText.line(text), length)

const names = (all: ReadonlyArray<string>): string => oneLine(all.join(", "))

/** Type, level and status, the services and regions, and the summary. */
const describe = (event: AnyEvent): string => {
  const { description, status, summary } = event.properties ?? {}
  const facts = [Labels.type(event), Labels.level(event), Labels.status(status)].map((one) => oneLine(one)).join(", ")
  const places = [names(Labels.services(event)), names(Labels.regions(event))].filter((one) => one !== "").join(" in ")
  const html = SafeText.cut(summary || description || "", maxLength.html)
  const text = SafeText.cut(Wrap.lines(PlainHtml.text(html), undefined).join("\n"), maxLength.text)
  return [`${facts}\n${places}`.trim(), text].filter((one) => one !== "").join("\n\n")
}

const event = ([id, entry]: readonly [string, Maintenance.Entry]): ReadonlyArray<string> => {
  const { event, isCancelled, modified } = entry
  const places = names(Labels.regions(event))
  return [
    "BEGIN:VEVENT",
    `UID:${id}@vigil`,
    `DTSTAMP:${dateTime(modified)}`,
    `LAST-MODIFIED:${dateTime(modified)}`,
    `SEQUENCE:${sequence(modified)}`,
    `STATUS:${isCancelled ? "CANCELLED" : "CONFIRMED"}`,
    // Maintenance does not make the owner of the calendar busy.
    "TRANSP:TRANSPARENT",
    `DTSTART:${dateTime(entry.start)}`,
    ...(entry.end === undefined ? [] : [`DTEND:${dateTime(entry.end)}`]),
    `SUMMARY:${escape(oneLine(Labels.title(event), maxLength.title))}`,
    ...(places === "" ? [] : [`LOCATION:${escape(places)}`]),
    `DESCRIPTION:${escape(describe(event))}`,
    "END:VEVENT",
  ]
}

/** Without events, the calendar would have no component, which is invalid (3.6). Some clients reject it. */
const empty = [
  "BEGIN:VTIMEZONE",
  "TZID:UTC",
  "BEGIN:STANDARD",
  "DTSTART:19700101T000000",
  "TZOFFSETFROM:+0000",
  "TZOFFSETTO:+0000",
  "TZNAME:UTC",
  "END:STANDARD",
  "END:VTIMEZONE",
]

interface Options {
  /** How often clients should refresh the calendar. */
  readonly minutes: number
  /** What lacks. Empty if all lists were read. */
  readonly remark?: string
}

/** The lines in parts. */
export function* make(
  source: string,
  entries: Maintenance.Entries,
  { minutes, remark = "" }: Options,
): Generator<string> {
  const name = escape(`Planned maintenance: ${oneLine(source)}`)
  const lack = escape(oneLine(remark))
  yield lines([
    "BEGIN:VCALENDAR",
    "VERSION:2.0",
    "PRODID:-//vigil//vigil serve//EN",
    "CALSCALE:GREGORIAN",
    `NAME:${name}`,
    `X-WR-CALNAME:${name}`,
    ...(lack === "" ? [] : [`DESCRIPTION:${lack}`, `X-WR-CALDESC:${lack}`]),
    `REFRESH-INTERVAL;VALUE=DURATION:PT${minutes}M`,
    ...(entries.size === 0 ? empty : []),
  ])
  for (const entry of [...entries].toSorted(([one], [other]) => (one < other ? -1 : 1))) yield lines(event(entry))
  yield lines(["END:VCALENDAR"])
}
