/** A status as facts: what a screen about a resource says of its state. */
import * as AvailabilityStatus from "@vigil/health-schema/AvailabilityStatus"
import * as ResourceId from "@vigil/health-schema/ResourceId"
import * as Labels from "@vigil/health-text/Labels"
import * as Moment from "@vigil/health-text/Moment"
import * as PlainHtml from "@vigil/health-text/PlainHtml"
import * as SafeText from "@vigil/health-text/SafeText"
import * as TerminalText from "@vigil/health-text/TerminalText"

type Status = AvailabilityStatus.AvailabilityStatus

type Fact = readonly [label: string, text: string]

/** The text without markup, in one line of at most `length` characters. */
export const plain = (html: string | null | undefined, length: number): string =>
  SafeText.cut(TerminalText.line(PlainHtml.text(html ?? "")), length)

/** Services begin the titles of active events with `Active:`, which pages and answers say as well. */
export const bare = (text: string): string => text.replace(/^active:\s+(?=\S)/i, "").replace(/[.:]$/, "")

export const state = (status: Status | undefined): string => {
  if (status === undefined) return "not known"
  return AvailabilityStatus.state(status) ?? (plain(status.properties?.availabilityState, 60) || "missing")
}

/** Whether a shell leaves the ID of an event as it is. Commands that contain it are copied. */
export const isShellSafe = (trackingId: string): boolean => /^\w[\w-]*$/.test(trackingId)

export const minute = (at: number): string => `${Moment.minute(at)} UTC`

const cut = (text: string): string => SafeText.cut(text, 500)

/** Services write `Not Applicable` where they have no word. */
const isSaid = (text: string | null | undefined): boolean => !/^not applicable$/i.test(text ?? "")

export const reason = ({ properties }: Status): string => {
  const { category, context, reasonType } = properties ?? {}
  return cut(Labels.distinct([reasonType, context, category].filter(isSaid)).join(", "))
}

/** The state, and when the service checked it: `Available, checked 2 min ago`. */
export const checkedState = (status: Status | undefined, now: number): string => {
  const checked = Moment.parse(status?.properties?.reportedTime)
  if (checked === undefined) return `${state(status)}, and not known to be checked`
  return Moment.isFuture(checked, now)
    ? `${state(status)}, with a check ${Moment.age(checked, now)}`
    : `${state(status)}, checked ${Moment.span(now - checked)} ago`
}

const unknown = "The platform has received no information about the resource for more than 10 minutes."

/** The facts that have a text. `id`: of the resource. */
export const facts = (id: string, status: Status | undefined, now: number): ReadonlyArray<Fact> => {
  const { detailedStatus, occuredTime, reasonChronicity, reportedTime, resolutionETA, summary } =
    status?.properties ?? {}
  const [since, checked, eta] = [occuredTime, reportedTime, resolutionETA].map(Moment.parse)
  const names = [ResourceId.name(id), ResourceId.type(id), ResourceId.group(id), status?.location]
  const isUnknown = status !== undefined && AvailabilityStatus.state(status) === "Unknown"
  const all: ReadonlyArray<Fact> = [
    ["Resource", cut(Labels.distinct(names).join(", "))],
    [
      "State",
      since === undefined
        ? state(status)
        : `${state(status)} ${since > now ? "from" : "since"} ${minute(since)} (${since > now ? Moment.age(since, now) : Moment.span(now - since)})`,
    ],
    ["Unknown means", isUnknown ? unknown : ""],
    ["Last check", checked === undefined ? "" : Moment.age(checked, now)],
    ["Reason", status === undefined ? "" : reason(status)],
    ["Chronicity", status === undefined || reason(status) === "" ? "" : plain(reasonChronicity, 60)],
    ["Summary", plain(summary, 500)],
    ["Details", plain(detailedStatus, 500)],
    ["Expected end", eta === undefined ? "" : `${minute(eta)} (${Moment.age(eta, now)})`],
  ]
  return all.filter(([, text]) => text !== "")
}

const link = (url: string | null | undefined): string =>
  /^https?:\/\/\S+$/i.test(url ?? "") ? ` ${plain(url, 500)}` : ""

/** The recommended actions in words, with their links. */
export const actions = (status: Status | undefined): ReadonlyArray<string> =>
  (status?.properties?.recommendedActions ?? []).flatMap(({ action, actionUrl }) => {
    const text = plain(action, 300)
    return text === "" ? [] : [`${text}${link(actionUrl)}`]
  })
