/** Arbitrary impact for property tests of merging: few services, regions and subscriptions, with many spellings. */
import type { HealthEvent, Impact, Timestamp } from "@vigil/health-schema"
import * as fc from "fast-check"

type Impacts = ReadonlyArray<Impact.Impact> | null

/** One of a few texts in any case; or empty, `null` or absent. */
const spelt = (...texts: ReadonlyArray<string>) => {
  const text = fc.constantFrom(...texts).chain((known) => fc.constantFrom(known, known, known.toUpperCase()))
  return fc.oneof({ arbitrary: text, weight: 6 }, { arbitrary: fc.constantFrom("", null), weight: 1 })
}

const some = <A>(value: fc.Arbitrary<A>) => fc.option(fc.array(value, { maxLength: 3 }), { freq: 6 })

const subscription = fc.constantFrom("s1", "s2", "s3", "S3")

const hour = fc.integer({ min: 0, max: 9 })

export const timeAt = (time: number) => `2026-03-01T0${time}:00:00Z` as Timestamp.Timestamp

const timestamp = fc.oneof(hour.map(timeAt), fc.constantFrom("" as Timestamp.Timestamp, null))

const update = fc.record(
  {
    summary: fc.constantFrom("Investigating.", "Mitigated.", "", null),
    updateDateTime: timestamp,
    eventTags: fc.constantFrom(null, [], ["Final PIR"]),
  },
  { requiredKeys: [] },
)

const region: fc.Arbitrary<Impact.ImpactedServiceRegion> = fc.record(
  {
    impactedRegion: spelt("east", "west"),
    impactedSubscriptions: some(subscription),
    impactedTenants: some(fc.constantFrom("t1", "T1", "t2")),
    lastUpdateTime: timestamp,
    status: fc.constantFrom("Active", "Resolved", "", null),
    updates: some(update),
  },
  { requiredKeys: [] },
)

/** Lists of impact. */
export const impact: fc.Arbitrary<Impacts> = some(
  fc.record(
    {
      impactedService: spelt("dns", "storage"),
      impactedServiceGuid: fc.oneof(fc.constant(null), spelt("g1", "g2")),
      impactedRegions: some(region),
    },
    { requiredKeys: [] },
  ),
)

/** Copies of one event with different update times. */
export const copies: fc.Arbitrary<ReadonlyArray<HealthEvent.HealthEvent>> = fc
  .uniqueArray(fc.tuple(hour, impact), { minLength: 1, maxLength: 4, selector: ([time]) => time })
  .map((all) => all.map(([time, impact]) => ({ name: "A", properties: { lastUpdateTime: timeAt(time), impact } })))

/** A service in a region, and a subscription, if any. The service has its GUID, else its name. */
export interface Place {
  readonly guid: string
  readonly service: string
  readonly region: string | undefined
  readonly subscription: string | undefined
}

const folded = (text: string | null | undefined) => (text ?? "").toLowerCase()

const orNone = <A>(list: ReadonlyArray<A>): ReadonlyArray<A | undefined> => (list.length === 0 ? [undefined] : list)

/** All places of a list, in lower case. */
export const places = (impact: Impacts | undefined): ReadonlyArray<Place> =>
  (impact ?? []).flatMap(({ impactedRegions, impactedService, impactedServiceGuid }) =>
    orNone(impactedRegions ?? []).flatMap((region) =>
      orNone(region?.impactedSubscriptions ?? []).map((subscription) => ({
        guid: folded(impactedServiceGuid),
        service: folded(impactedService),
        region: region === undefined ? undefined : folded(region.impactedRegion),
        subscription: subscription?.toLowerCase(),
      })),
    ),
  )

/** Whether a list contains a place. Without a subscription, a place is part of its region, and so on. */
export const holds = (all: ReadonlyArray<Place>, { guid, region, service, subscription }: Place): boolean =>
  all.some(
    (one) =>
      (guid === "" ? one.service === service : one.guid === guid) &&
      (region === undefined || one.region === region) &&
      (subscription === undefined || one.subscription === subscription),
  )
