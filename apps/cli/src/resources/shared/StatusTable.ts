/** Statuses of resources as table rows and as CSV records. */
import * as AvailabilityStatus from "@vigil/health-schema/AvailabilityStatus"
import * as Enumerations from "@vigil/health-schema/Enumerations"
import * as OpenEnum from "@vigil/health-schema/OpenEnum"
import * as Labels from "@vigil/health-text/Labels"
import type * as TerminalText from "@vigil/health-text/TerminalText"
import * as Assessment from "@vigil/health-verdict/Assessment"
import * as Printable from "../../output/Printable.js"

type Status = AvailabilityStatus.AvailabilityStatus

const colors: Readonly<Record<string, TerminalText.Color>> = {
  Available: "green",
  Unavailable: "red",
  Degraded: "yellow",
  Unknown: "yellow",
}

export const color = (state: string): TerminalText.Color | undefined =>
  colors[OpenEnum.find(Enumerations.AvailabilityState, state) ?? ""]

export type Assess = (status: Status) => Assessment.Assessment

/** What rows are made with. */
interface Options {
  readonly assess: Assess
  /** In milliseconds since 1970. */
  readonly now: number
  /** That of `StatusText`, which includes an HTML parser. */
  readonly why: (one: Assessment.Assessment) => string
}

/** Empty if it is available and nothing else is known. */
const causeOf = ({ verdict }: Assessment.Assessment): string => (verdict === "none" ? "" : verdict)

export const fields = ({ assess, now, why }: Options) =>
  ({
    subscription: AvailabilityStatus.subscriptionId,
    id: AvailabilityStatus.resourceId,
    state: (status) => Assessment.label(assess(status)),
    since: ({ properties }) => properties?.occuredTime,
    reason: (status) => Assessment.reason(assess(status), now),
    cause: (status) => causeOf(assess(status)),
    why: (status) => why(assess(status)),
    type: AvailabilityStatus.resourceType,
    name: AvailabilityStatus.resourceName,
    group: AvailabilityStatus.resourceGroup,
    location: ({ location }) => location,
    summary: ({ properties }) => properties?.summary,
    trackingId: (status) => Assessment.trackingId(assess(status)),
    reportedTime: ({ properties }) => properties?.reportedTime,
  }) satisfies Printable.Fields<Status>

/** The state, the reason and the name stay in a narrow terminal. The reason is the cause if that is known: `platform` says more than `Unplanned`. */
const columnsOf = ({ assess, now }: Options): Printable.Definition<Status>["columns"] => [
  { heading: "STATE", field: "state", color },
  {
    heading: "SINCE (UTC)",
    field: "since",
    hideOrder: 4,
    cell: ({ properties }) => Labels.minute(properties?.occuredTime),
  },
  {
    heading: "REASON",
    field: "reason",
    minWidth: 18,
    cell: (status) => Assessment.who(assess(status), now) || status.properties?.reasonType,
  },
  { heading: "TYPE", field: "type", minWidth: 16, hideOrder: 1 },
  { heading: "NAME", field: "name", minWidth: 9 },
  { heading: "EVENT", field: "trackingId", hideOrder: 3 },
  { heading: "WHY", field: "why", minWidth: 20, hideOrder: 2 },
]

/** `label`: of a subscription, if there are several. */
export const definition = (
  options: Options,
  label: ((id: string) => string) | undefined,
): Printable.Definition<Status> =>
  Printable.withSubscription(
    { columns: columnsOf(options), fields: fields(options) },
    (status) => [AvailabilityStatus.subscriptionId(status) ?? ""],
    label,
  )
