/** The types of each version; compiled with the tests. */
import {
  ApiVersion,
  Enumerations,
  EventUnion,
  type EventsPage,
  HealthEvent,
  type Impact,
  type InvalidField,
  OpenEnum,
} from "@vigil/health-schema"
import type * as Result from "effect/Result"
import { describe, expectTypeOf, it } from "vitest"

type Newer = HealthEvent.HealthEvent<"2025-05-01">
type Older = HealthEvent.HealthEvent<"2025-04-01">
type NewerProperties = HealthEvent.Properties<"2025-05-01">
type OlderProperties = HealthEvent.Properties<"2025-04-01">
type UpdateIn<V extends ApiVersion.ApiVersion> = NonNullable<Impact.ImpactedServiceRegion<V>["updates"]>[number]

const olderTypes = HealthEvent.eventTypes("2025-04-01")
const other = ApiVersion.other("2026-01-01")

describe("the type of an event", () => {
  it("has the fields of its version only", () => {
    type Own = "billingId" | "currencyType" | "newRate" | "oldRate" | "eventSubType"
    expectTypeOf<Exclude<keyof NewerProperties, keyof OlderProperties>>().toEqualTypeOf<Own>()
    expectTypeOf<Exclude<keyof OlderProperties, keyof NewerProperties>>().toEqualTypeOf<never>()
    expectTypeOf<Exclude<keyof Newer, keyof Older>>().toEqualTypeOf<"location">()
    expectTypeOf<Exclude<keyof Older, keyof Newer>>().toEqualTypeOf<"systemData">()
    expectTypeOf<Exclude<keyof UpdateIn<"2025-05-01">, keyof UpdateIn<"2025-04-01">>>().toEqualTypeOf<"eventTags">()
    expectTypeOf<Impact.Update<"2025-04-01">>().toEqualTypeOf<UpdateIn<"2025-04-01">>()
    expectTypeOf<NewerProperties>().not.toHaveProperty("enableVendorSupport")
  })

  it("is not assignable to another known version, but to any version", () => {
    const use = (newer: Newer, older: Older) => {
      // @ts-expect-error -- billingId of 2025-04-01 was not checked
      const asNewer: Newer = older
      // @ts-expect-error -- systemData of 2025-05-01 was not checked
      const asOlder: Older = newer
      const any: ReadonlyArray<HealthEvent.HealthEvent<ApiVersion.ApiVersion>> = [newer, older]
      return [asNewer, asOlder, any]
    }
    expectTypeOf(use).toBeFunction()
  })

  it("follows the requested version, by default the latest", () => {
    type Decoded<E> = Result.Result<E, InvalidField.InvalidField>
    expectTypeOf<HealthEvent.HealthEvent>().toEqualTypeOf<HealthEvent.HealthEvent<ApiVersion.Latest>>()
    expectTypeOf(HealthEvent.decode("2025-04-01")).returns.toEqualTypeOf<Decoded<Older>>()
    expectTypeOf(HealthEvent.decode("2025-04-01", { vendor: "A" })).returns.toEqualTypeOf<Decoded<Older>>()
    expectTypeOf(HealthEvent.decode(other)).returns.toEqualTypeOf<Decoded<HealthEvent.HealthEvent>>()
    expectTypeOf<EventsPage.Page<ApiVersion.Other>["items"]>().toEqualTypeOf<EventsPage.Page["items"]>()
    expectTypeOf(EventUnion.merge<ApiVersion.Other>).returns.toEqualTypeOf<HealthEvent.HealthEvent>()
    // @ts-expect-error -- text that is not validated
    expectTypeOf(HealthEvent.decode("2026-01-01")).toBeFunction()
    expectTypeOf(other).toEqualTypeOf<ApiVersion.Other>()
    expectTypeOf<ApiVersion.Other>().not.toExtend<ApiVersion.Known>()
  })

  it("narrows an enumeration to the known values of the version", () => {
    const use = (newer: NewerProperties, older: OlderProperties, { eventType }: OlderProperties) => {
      const isBilling = OpenEnum.isKnown(Enumerations.EventType, newer.eventType) && newer.eventType === "Billing"
      // @ts-expect-error -- this version has no Billing
      if (OpenEnum.isKnown(olderTypes, older.eventType)) return older.eventType === "Billing"
      // @ts-expect-error -- even though the enumeration has it
      if (OpenEnum.isKnown(Enumerations.EventType, eventType)) return eventType === "Billing"
      // @ts-expect-error -- an enumeration that lacks a value of the version
      if (OpenEnum.isKnown(olderTypes, newer.eventType)) return true
      // @ts-expect-error -- an enumeration of another field
      if (OpenEnum.isKnown(Enumerations.Level, newer.status)) return true
      // @ts-expect-error -- compared with an unknown value
      return isBilling || OpenEnum.equals(newer.status, "Actve")
    }
    expectTypeOf(use).toBeFunction()
    expectTypeOf(OpenEnum.find(Enumerations.EventStatus, "")).toEqualTypeOf<"Active" | "Resolved" | undefined>()
  })
})
