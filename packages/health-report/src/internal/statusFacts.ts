/** A status as facts: what a screen about a resource says of its state. */
import * as AvailabilityStatus from "@vigil/health-schema/AvailabilityStatus"
import * as ResourceId from "@vigil/health-schema/ResourceId"
import * as Labels from "@vigil/health-text/Labels"
import * as PlainHtml from "@vigil/health-text/PlainHtml"
import * as SafeText from "@vigil/health-text/SafeText"
import * as TerminalText from "@vigil/health-text/TerminalText"
import * as Moment from "./moment.js"

type Status = AvailabilityStatus.AvailabilityStatus

type Fact = readonly [label: string, text: string]

/** The text without markup, in one line of at most `length` characters. */
export const plain = (html: string | null | undefined, length: number): string =>
  SafeText.cut(TerminalText.line(PlainHtml.text(html ?? "")), length)

export const state = (status: Status | undefined): string => {
  if (status === undefined) return "not known"
  return AvailabilityStatus.state(status) ?? (plain(status.properties?.availabilityState, 60) || "missing")
}

/** Whether a shell leaves the ID of an event as it is. Commands that contain it are copied. */
export const isShellSafe = (trackingId: string): boolean => /^[\w-]+$/.test(trackingId)

export const minute = (at: number): string => `${Moment.minute(at)} UTC`

const cut = (text: string): string => SafeText.cut(text, 500)

export const reason = ({ properties }: Status): string =>
  cut(Labels.distinct([properties?.reasonType, properties?.context]).join(", "))

/** The facts that have a text. `id`: of the resource. */
export const facts = (id: string, status: Status | undefined, now: number): ReadonlyArray<Fact> => {
  const { occuredTime, reportedTime, resolutionETA, summary } = status?.properties ?? {}
  const [since, checked, eta] = [occuredTime, reportedTime, resolutionETA].map(Moment.parse)
  const names = [ResourceId.name(id), ResourceId.type(id), ResourceId.group(id), status?.location]
  const all: ReadonlyArray<Fact> = [
    ["Resource", cut(Labels.distinct(names).join(", "))],
    [
      "State",
      since === undefined ? state(status) : `${state(status)} since ${minute(since)} (${Moment.span(now - since)})`,
    ],
    ["Last check", checked === undefined ? "" : checked > now ? minute(checked) : `${Moment.span(now - checked)} ago`],
    ["Reason", status === undefined ? "" : reason(status)],
    ["Summary", plain(summary, 500)],
    [
      "Expected end",
      eta === undefined
        ? ""
        : `${minute(eta)} (${eta < now ? `${Moment.span(now - eta)} ago` : `in ${Moment.span(eta - now)}`})`,
    ],
  ]
  return all.filter(([, text]) => text !== "")
}

/** The recommended actions in words. */
export const actions = (status: Status | undefined): ReadonlyArray<string> =>
  (status?.properties?.recommendedActions ?? []).map(({ action }) => plain(action, 300)).filter((text) => text !== "")
