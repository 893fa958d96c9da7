/** The resources that are not available: a section of the report, and lines of text. */
import * as AvailabilityStatus from "@vigil/health-schema/AvailabilityStatus"
import * as Labels from "@vigil/health-text/Labels"
import type * as Severity from "@vigil/health-text/Severity"
import * as TerminalText from "@vigil/health-text/TerminalText"
import * as Wrap from "@vigil/health-text/Wrap"
import * as Assessment from "../Assessment.js"
import * as ResourceStates from "../ResourceStates.js"
import { type Html, html, nothing, timestamp } from "./html.js"
import * as Moment from "./moment.js"
import { failure } from "./overview.js"
import type { Snapshot } from "../Snapshot.js"
import type { Subject } from "./subject.js"
import { maxNames, partly, table } from "./tables.js"

type Status = AvailabilityStatus.AvailabilityStatus

type One = Assessment.Assessment

const eventOf = ({ evidence, status }: One): string | undefined =>
  status.properties?.healthEventId || evidence?.trackingId

const severities: Readonly<Record<string, Severity.Severity>> = { Unavailable: "Error", Degraded: "Warning" }

const nameOf = (status: Status): string => Labels.orElse(AvailabilityStatus.resourceName(status), "(no ID)")

const about = (status: Status): string =>
  Labels.distinct([AvailabilityStatus.resourceType(status), AvailabilityStatus.resourceGroup(status)]).join(", ")

/** The tracking ID, as a link if the report has the event. */
const eventCell = (anchors: ReadonlyMap<string, string>, id: string | null | undefined): Html => {
  if (!id) return nothing
  const anchor = anchors.get(id.toLowerCase())
  return anchor === undefined ? html`${id}` : html`<a href="#${anchor}">${id}</a>`
}

const row =
  (anchors: ReadonlyMap<string, string>, now: number) =>
  (one: One): Html => {
    const { state, status } = one
    const { occuredTime } = status.properties ?? {}
    return html`<tr>
      <th scope="row">
        <span class="place"><span>${nameOf(status)}</span> <span class="quiet">${about(status)}</span></span>
      </th>
      <td class="${severities[state] ?? "Other"}">
        <span class="pill">${Assessment.label(one)}</span>
      </td>
      <td>${occuredTime ? timestamp(occuredTime) : nothing}</td>
      <td>${Assessment.reason(one, now)}</td>
      <td>${eventCell(anchors, eventOf(one))}</td>
    </tr> `
  }

const heads = ["Resource", "State", "Since", "Reason", "Event"]

/** Nothing if resources were not read. */
export const section = ({ items, period, resources }: Subject): Html => {
  if (resources === undefined) return nothing
  const down = resources.affected
  const anchors = new Map(items.map(({ anchor, event }) => [event.name?.toLowerCase() ?? "", anchor]))
  return html`<section>
    <h2 id="resources">Resources</h2>
    <p class="quiet">${ResourceStates.text(resources)}</p>
    ${resources.failed.slice(0, maxNames).map(failure("states"))}${partly("resources", down.length)}${
      down.length === 0
        ? nothing
        : table(
            "resources",
            "tall",
            heads.map((head) => html`<th scope="col">${head}</th>`),
            down.slice(0, maxNames).map(row(anchors, period.now)),
          )
    }
  </section>`
}

const line = (one: One, width: number, now: number): ReadonlyArray<string> => {
  const { status } = one
  const { occuredTime } = status.properties ?? {}
  const millis = Moment.parse(occuredTime)
  const since = millis === undefined ? occuredTime : `${Moment.minute(millis)} UTC`
  const event = eventOf(one)
  const parts = [
    Assessment.label(one),
    nameOf(status),
    about(status),
    since && `since ${since}`,
    Assessment.reason(one, now),
    event && `event ${event}`,
  ]
  return Wrap.flow(
    Labels.distinct(parts).map((part) => Wrap.line(part, width)),
    "  ",
    width,
  )
}

/** Empty if resources were not read. */
export const lines = (snapshot: Snapshot, width: number): ReadonlyArray<string> => {
  const resources = ResourceStates.make(snapshot)
  if (resources === undefined) return []
  const down = resources.affected
  const more = down.length - maxNames
  return [
    "",
    ...Wrap.lines(ResourceStates.text(resources), width),
    ...resources.failed.flatMap(({ problem, source }) => Wrap.lines(`${source}: ${TerminalText.line(problem)}`, width)),
    ...down.slice(0, maxNames).flatMap((one) => line(one, width, snapshot.now)),
    ...(more > 0 ? [`and ${more} more`] : []),
  ]
}
