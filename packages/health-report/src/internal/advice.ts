/** Why a resource does not work, and what to do next: the words of a row. */
import * as AvailabilityStatus from "@vigil/health-schema/AvailabilityStatus"
import * as Labels from "@vigil/health-text/Labels"
import * as Moment from "@vigil/health-text/Moment"
import * as Assessment from "@vigil/health-verdict/Assessment"
import type { Evidence } from "@vigil/health-verdict/Evidence"
import { type Html, html, nothing, time } from "./html.js"
import * as Impact from "./impact.js"
import * as Facts from "./statusFacts.js"
import type { Report } from "./report.js"

type One = Assessment.Assessment

export const nameOf = ({ status }: One): string => Labels.orElse(AvailabilityStatus.resourceName(status), "(no ID)")

const sentence = (text: string): string => text.replace(/^[a-z]/, (first) => first.toUpperCase())

const whoOf = (one: One, now: number): string =>
  sentence(Labels.distinct([Assessment.who(one, now), Impact.grade(one)]).join(", "))

const maxLength = 160

const titleOf = ({ title }: Evidence): string => Facts.bare(Facts.plain(title, maxLength))

/** Who caused it, how sure that is, and how: the title of the event as a link if the page has it. What its owner did is said, too. */
export const why = (one: One, { known, period: { now } }: Report): Html => {
  const { evidence, ownAction } = one
  const id = Assessment.trackingId(one)
  const event = known.get(id?.toLowerCase() ?? "")
  const own = ownAction === undefined || ownAction === evidence ? "" : titleOf(ownAction)
  const title = evidence === undefined ? "" : titleOf(evidence)
  const shown =
    event === undefined
      ? html`${Labels.distinct([title, id && !title.includes(id) ? `(${id})` : ""]).join(" ")}`
      : html`<a class="plain" href="#${event.anchor}" dir="auto">${Facts.bare(event.title)}</a>`
  const more = Labels.distinct([sentence(Impact.reach(one, now)), own]).map((text) => `. ${text}`)
  return html`${whoOf(one, now)}${shown.markup && ": "}${shown}${more.join("")}`
}

/** Since when, for how long, and when it is expected to end. */
export const since = ({ status }: One, { period: { now } }: Report): Html => {
  const { occuredTime, resolutionETA } = status.properties ?? {}
  const [at, eta] = [occuredTime, resolutionETA].map(Moment.parse)
  const near = (one: number) => time(one, (millis) => Moment.near(millis, now))
  if (at === undefined) return html`${Labels.orElse(occuredTime, "")}`
  return html`${near(at)}${at > now ? nothing : html` <span class="unit">(${Moment.span(now - at)})</span>`}${
    eta === undefined ? nothing : html`. Expected end ${near(eta)}${eta < now ? " has passed" : ""}`
  }`
}

/** For a state whose event and status advise nothing. */
const ownAdvice = {
  platform: "Follow the event.",
  maintenance: "Wait for the end of the maintenance.",
  customer: "Start it again if it is needed.",
}

/** The first text of those that a service advises. */
const advised = (texts: ReadonlyArray<string | null | undefined>): string =>
  texts.map((text) => Facts.plain(text, maxLength)).find((text) => text !== "") ?? ""

/** The command that finds out more. The name may be that of several resources. */
const command = (one: One, owners: Report["owners"]): Html => {
  const [name, owner] = [nameOf(one), owners.resource(one.status)]
  if (!Facts.isShellSafe(name)) return nothing
  const subscription = Facts.isShellSafe(owner) ? owner : AvailabilityStatus.subscriptionId(one.status)
  const flag = html` <span class="unit">--subscription</span> ${subscription ?? ""}`
  return html`<code>vigil why ${name}${owner ? flag : nothing}</code>`
}

/** What its status or event advises. Without a cause, the command that finds out more. */
export const next = (one: One, { known, owners }: Report): Html => {
  const { evidence, ownAction, status, verdict } = one
  // An event that only perhaps explains it is not its own.
  const event = verdict === "unknown" ? undefined : known.get(Assessment.trackingId(one)?.toLowerCase() ?? "")?.event
  const text =
    advised((status.properties?.recommendedActions ?? []).map(({ action }) => action)) ||
    advised((event?.properties?.recommendedActions?.actions ?? []).map(({ actionText }) => actionText))
  const isKnown =
    verdict === "customer" || (event !== undefined && (verdict === "platform" || verdict === "maintenance"))
  const own = evidence?.phase === "ended" ? "Check that it works." : isKnown ? ownAdvice[verdict] : ""
  const start = ownAction === undefined || verdict === "customer" ? "" : ` ${ownAdvice.customer}`
  return text || own ? html`${text || own}${start}` : command(one, owners)
}
