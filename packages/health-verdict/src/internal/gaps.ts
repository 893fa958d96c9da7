/** What was not read, and why. */
import * as HealthEvent from "@vigil/health-schema/HealthEvent"
import { plural } from "@vigil/health-text/Sentence"
import * as Arr from "effect/Array"
import { type Gap, type Reading, type Readings, type Source, type Unread, empty } from "../Evidence.js"
import * as Listed from "./listed.js"
import * as Statuses from "./statusEvidence.js"

const notRead: Reading<never> = { ...empty, problem: "Those of some events were not read." }

/** The state says when it was checked. */
export const old = "The service did not say that it checked the resource in the last 24 hours."

const entries = (count: number, problem: string) => ({
  problem: `${plural(count, "entry", "entries")} ${problem}`,
  invalid: count,
})

/** `compared`: the events whose impacted resources count. */
export const make = (readings: Readings, compared: ReadonlyArray<HealthEvent.AnyEvent>): ReadonlyArray<Unread> => {
  const { current, history, impacted, now } = readings
  const isOld = current.items.some((status) => !Statuses.isFresh(status, now))
  const lists = compared.map((event) => impacted.get(HealthEvent.trackingKey(event) ?? "") ?? notRead)
  const sum = (count: (list: (typeof lists)[number]) => number) => lists.reduce((total, list) => total + count(list), 0)
  const anonymous = history.items.filter(({ id }) => !id).length
  const withoutId = sum(Listed.withoutId)
  const all: ReadonlyArray<readonly [Source, Gap]> = [
    ["current status", current],
    ["history", history],
    ["resources in it", readings.children],
    ["events of the resource", readings.ownEvents],
    ["events of the subscription", readings.subscriptionEvents],
    ["events of the tenant", readings.tenantEvents ?? empty],
    ["emerging issues", readings.emergingIssues],
    ["metadata", readings.metadata],
    ["resources with this name", readings.sameName],
    ...lists.map(({ problem }) => ["impacted resources", { invalid: 0, problem }] as const),
    ["impacted resources", { invalid: sum(({ invalid }) => invalid), problem: undefined }],
  ]
  const unread = all.flatMap(([source, { invalid, problem }]): ReadonlyArray<Unread> => [
    ...(problem === undefined ? [] : [{ source, problem }]),
    ...(invalid === 0 ? [] : [{ source, ...entries(invalid, "could not be read.") }]),
  ])
  return Arr.dedupe([
    ...(isOld ? [{ source: "current status" as const, problem: old }] : []),
    ...unread,
    ...(anonymous === 0 ? [] : [{ source: "history" as const, ...entries(anonymous, "do not name a resource.") }]),
    ...(withoutId === 0
      ? []
      : [{ source: "impacted resources" as const, ...entries(withoutId, "do not name a resource.") }]),
  ])
}
