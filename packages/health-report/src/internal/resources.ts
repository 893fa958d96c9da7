/** The resources that are not available: a section of the report, and lines of text. */
import * as AvailabilityStatus from "@vigil/health-schema/AvailabilityStatus"
import * as Labels from "@vigil/health-text/Labels"
import type * as Severity from "@vigil/health-text/Severity"
import * as TerminalText from "@vigil/health-text/TerminalText"
import * as Wrap from "@vigil/health-text/Wrap"
import * as ResourceStates from "../ResourceStates.js"
import { type Html, html, nothing, timestamp } from "./html.js"
import * as Moment from "./moment.js"
import { failure } from "./overview.js"
import type { Resources } from "../Snapshot.js"
import type { Subject } from "./subject.js"
import { maxNames, partly, table } from "./tables.js"

type Status = AvailabilityStatus.AvailabilityStatus

const severities: Readonly<Record<string, Severity.Severity>> = { Unavailable: "Error", Degraded: "Warning" }

const stateText = ({ properties }: Status): string => Labels.orElse(properties?.availabilityState, "Unknown")

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
  (anchors: ReadonlyMap<string, string>) =>
  (status: Status): Html => {
    const { healthEventId, occuredTime, reasonType } = status.properties ?? {}
    return html`<tr>
      <th scope="row">
        <span class="place"><span>${nameOf(status)}</span> <span class="quiet">${about(status)}</span></span>
      </th>
      <td class="${severities[AvailabilityStatus.state(status) ?? ""] ?? "Other"}">
        <span class="pill">${stateText(status)}</span>
      </td>
      <td>${occuredTime ? timestamp(occuredTime) : nothing}</td>
      <td>${reasonType ?? ""}</td>
      <td>${eventCell(anchors, healthEventId)}</td>
    </tr> `
  }

const heads = ["Resource", "State", "Since", "Reason", "Event"]

/** Nothing if resources were not read. */
export const section = ({ items, resources }: Subject): Html => {
  if (resources === undefined) return nothing
  const down = ResourceStates.unavailable(resources)
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
            down.slice(0, maxNames).map(row(anchors)),
          )
    }
  </section>`
}

const line = (status: Status, width: number): ReadonlyArray<string> => {
  const { healthEventId, occuredTime, reasonType } = status.properties ?? {}
  const millis = Moment.parse(occuredTime)
  const since = millis === undefined ? occuredTime : `${Moment.minute(millis)} UTC`
  const parts = [
    stateText(status),
    nameOf(status),
    about(status),
    since && `since ${since}`,
    reasonType,
    healthEventId && `event ${healthEventId}`,
  ]
  return Wrap.flow(
    Labels.distinct(parts).map((part) => Wrap.line(part, width)),
    "  ",
    width,
  )
}

/** Empty if resources were not read. */
export const lines = (resources: Resources | undefined, width: number): ReadonlyArray<string> => {
  if (resources === undefined) return []
  const down = ResourceStates.unavailable(resources)
  const more = down.length - maxNames
  return [
    "",
    ...Wrap.lines(ResourceStates.text(resources), width),
    ...resources.failed.flatMap(({ problem, source }) => Wrap.lines(`${source}: ${TerminalText.line(problem)}`, width)),
    ...down.slice(0, maxNames).flatMap((status) => line(status, width)),
    ...(more > 0 ? [`and ${more} more`] : []),
  ]
}
