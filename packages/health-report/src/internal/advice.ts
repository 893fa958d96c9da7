/** Why a resource does not work, and what to do next: the words of a row. */
import * as AvailabilityStatus from "@vigil/health-schema/AvailabilityStatus"
import * as Labels from "@vigil/health-text/Labels"
import * as Assessment from "../Assessment.js"
import { type Html, html, nothing, time } from "./html.js"
import type { Item } from "./items.js"
import * as Moment from "./moment.js"
import * as Facts from "./statusFacts.js"

type One = Assessment.Assessment

export const nameOf = ({ status }: One): string => Labels.orElse(AvailabilityStatus.resourceName(status), "(no ID)")

/** The tracking ID of the event that explains it. */
export const eventOf = ({ evidence, status }: One): string | undefined =>
  status.properties?.healthEventId || evidence?.trackingId

/** The history may have a cause that the lists do not have. */
const cause = (one: One, now: number): string =>
  Assessment.cause(one, now).replace(/^[a-z]/, (first) => first.toUpperCase()) ||
  "Cause unknown: its history was not read"

const maxLength = 160

/** The events of a page by their tracking IDs in lower case. */
export type Known = ReadonlyMap<string, Item>

/** Who caused it and how: the title of the event as a link if the page has it. What its owner did is said, too. */
export const why = (one: One, known: Known, now: number): Html => {
  const { evidence, ownAction } = one
  const who = cause(one, now)
  const id = eventOf(one)
  const event = known.get(id?.toLowerCase() ?? "")
  const own = ownAction === undefined || ownAction === evidence ? "" : ` ${Facts.plain(ownAction.title, maxLength)}`
  if (event !== undefined)
    return html`${who}:
      <a class="plain" href="#${event.anchor}" dir="auto">${event.title.replace(/^active:\s+(?=\S)/i, "")}</a
      >${own && `.${own}`}`
  const title = evidence === undefined ? "" : Facts.plain(evidence.title, maxLength)
  return html`${Labels.distinct([who, title]).join(": ")}${id ? ` (${id})` : nothing}${own}`
}

/** Since when, and for how long. */
export const since = ({ status }: One, now: number): Html => {
  const { occuredTime } = status.properties ?? {}
  const at = Moment.parse(occuredTime)
  if (at === undefined) return html`${Labels.orElse(occuredTime, "")}`
  return html`${time(at, (millis) => Moment.near(millis, now))}${at > now ? nothing : html` <span class="unit">(${Moment.span(now - at)})</span>`}`
}

/** For a state whose event and status advise nothing. */
const ownAdvice = {
  platform: "Follow the event.",
  maintenance: "Wait for the end of the maintenance.",
  customer: "Start it again if nobody stopped it on purpose.",
}

/** The first text of those that a service advises. */
const advised = (texts: ReadonlyArray<string | null | undefined>): string =>
  texts.map((text) => Facts.plain(text, maxLength)).find((text) => text !== "") ?? ""

/** When it is expected to end, and what its status or event advises. Without a cause, the command that finds out more. */
export const next = (one: One, known: Known, now: number): Html => {
  const { evidence, status, verdict } = one
  const event = known.get(eventOf(one)?.toLowerCase() ?? "")?.event
  const eta = Moment.parse(status.properties?.resolutionETA)
  const end =
    eta === undefined || eta < now ? nothing : html`Expected end: ${time(eta, (millis) => Moment.near(millis, now))}. `
  const text =
    advised((status.properties?.recommendedActions ?? []).map(({ action }) => action)) ||
    advised((event?.properties?.recommendedActions?.actions ?? []).map(({ actionText }) => actionText))
  if (text !== "") return html`${end}${text}`
  if (evidence?.phase === "ended") return html`Check that it works again.`
  if (verdict === "customer" || (event !== undefined && (verdict === "platform" || verdict === "maintenance")))
    return html`${end}${ownAdvice[verdict]}`
  const name = nameOf(one)
  return Facts.isShellSafe(name) ? html`${end}<code>vigil why ${name}</code>` : end
}
