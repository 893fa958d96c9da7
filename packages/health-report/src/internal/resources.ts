/** The resources that are not available: a section of the report, and lines of text. */
import * as AvailabilityStatus from "@vigil/health-schema/AvailabilityStatus"
import * as Labels from "@vigil/health-text/Labels"
import * as Moment from "@vigil/health-text/Moment"
import type * as Severity from "@vigil/health-text/Severity"
import * as TerminalText from "@vigil/health-text/TerminalText"
import * as Wrap from "@vigil/health-text/Wrap"
import * as Assessment from "@vigil/health-verdict/Assessment"
import * as ResourceStates from "../ResourceStates.js"
import type { Snapshot } from "../Snapshot.js"
import * as Advice from "./advice.js"
import { type Html, html, nothing } from "./html.js"
import * as Impact from "./impact.js"
import type { Report } from "./report.js"
import { maxNames, partly, table } from "./tables.js"
import * as Owners from "./owners.js"

type One = Assessment.Assessment

export const severityOf = ({ state }: One): Severity.Severity =>
  state === "Unavailable" ? "Error" : state === "Degraded" ? "Warning" : "Other"

/** The type without its provider, the group, and whose it is. */
const about = ({ status }: One, owners: Owners.Owners): string =>
  Labels.distinct([
    AvailabilityStatus.resourceType(status)?.replace(/^[^/]*\//, ""),
    AvailabilityStatus.resourceGroup(status),
    owners.resource(status),
  ]).join(" · ")

const row =
  (report: Report) =>
  (one: One): Html =>
    html`<tr id="${report.places.get(one) ?? ""}">
      <th scope="row">${Advice.nameOf(one)} <span class="quiet">${about(one, report.owners)}</span></th>
      <td class="${severityOf(one)}">
        <span class="pill">${Assessment.label(one)}</span> ${Advice.since(one, report)}
      </td>
      <td>${Advice.why(one, report)}</td>
      <td>${Advice.next(one, report)}</td>
    </tr> `

/** More are folded. */
const maxOpen = 10

const heads = ["Resource", "State since", "Why", "Next"]

/** Nothing if resources were not read. */
export const section = (report: Report): Html => {
  const { resources } = report
  if (resources === undefined) return nothing
  const down = resources.affected
  const rows = (label: string, some: ReadonlyArray<One>) =>
    table(
      label,
      "cards rows",
      heads.map((head) => html`<th scope="col">${head}</th>`),
      some.map(row(report)),
    )
  const others = down.slice(maxOpen, maxNames)
  return html`<section>
    <h2 id="resources">Your resources</h2>
    <p class="quiet">
      ${Owners.brief(ResourceStates.readText(resources))} Confirmed: the status or an event names it or a part.
      <code>vigil why</code> reads more.
    </p>
    ${partly("resources", down.length)}${down.length === 0 ? nothing : rows("resources", down.slice(0, maxOpen))}${
      others.length === 0
        ? nothing
        : html`<details class="fold">
            <summary>
              <span class="name" id="others">Other affected resources</span> <span class="quiet">${others.length}</span>
            </summary>
            ${rows("others", others)}
          </details>`
    }
  </section>`
}

const line = (one: One, width: number, now: number): ReadonlyArray<string> => {
  const { status } = one
  const { occuredTime } = status.properties ?? {}
  const millis = Moment.parse(occuredTime)
  const since = millis === undefined ? occuredTime : `${Moment.minute(millis)} UTC`
  const event = Assessment.trackingId(one)
  const parts = [
    Assessment.label(one),
    Advice.nameOf(one),
    Labels.distinct([AvailabilityStatus.resourceType(status), AvailabilityStatus.resourceGroup(status)]).join(", "),
    since && `since ${since}`,
    Assessment.reason(one, now),
    Impact.grade(one),
    Impact.reach(one, now),
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
