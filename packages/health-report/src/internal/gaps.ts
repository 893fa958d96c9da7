/** What was not read, and why. */
import * as HealthEvent from "@vigil/health-schema/HealthEvent"
import { plural } from "@vigil/health-text/Sentence"
import * as Arr from "effect/Array"
import type { Reading, Readings, Source, Unread } from "../Evidence.js"
import * as Listed from "./listed.js"
import * as Statuses from "./statusEvidence.js"

export const nothing: Reading<never> = { items: [], invalid: 0 }

const notRead: Reading<never> = { items: [], invalid: 0, problem: "Those of some events were not read." }

const old = "The service did not say that it checked the resource in the last 24 hours."

const entries = (count: number, problem: string) => ({
  problem: `${plural(count, "entry", "entries")} ${problem}`,
  invalid: count,
})

/** `compared`: the events whose impacted resources count. */
export const make = (readings: Readings, compared: ReadonlyArray<HealthEvent.AnyEvent>): ReadonlyArray<Unread> => {
  const { current, impacted, now } = readings
  const isOld = current.items.some((status) => !Statuses.isFresh(status, now))
  const lists = compared.map((event) => impacted.get(HealthEvent.trackingKey(event) ?? "") ?? notRead)
  const sum = (count: (list: (typeof lists)[number]) => number) => lists.reduce((total, list) => total + count(list), 0)
  const withoutId = sum(Listed.withoutId)
  const all: ReadonlyArray<readonly [Source, Omit<Reading<unknown>, "items">]> = [
    ["current status", current],
    ["history", readings.history],
    ["resources in it", readings.children],
    ["events of the resource", readings.ownEvents],
    ["events of the subscription", readings.subscriptionEvents],
    ["events of the tenant", readings.tenantEvents ?? nothing],
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
    ...(withoutId === 0
      ? []
      : [{ source: "impacted resources" as const, ...entries(withoutId, "do not name a resource.") }]),
  ])
}
