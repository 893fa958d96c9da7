/** The types of each version; compiled, not run. */
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

type Latest = HealthEvent.HealthEvent<typeof ApiVersion.latest>
type Newer = HealthEvent.HealthEvent<"2025-05-01">
type Older = HealthEvent.HealthEvent<"2025-04-01">
type NewerProperties = HealthEvent.Properties<"2025-05-01">
type OlderProperties = HealthEvent.Properties<"2025-04-01">
type UpdateIn<V extends ApiVersion.ApiVersion> = NonNullable<Impact.ImpactedServiceRegion<V>["updates"]>[number]

const other = ApiVersion.other("3000-01-01")

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

  it("has what the versions of 2026 added", () => {
    type AddedBy<V extends ApiVersion.Known> = Exclude<keyof HealthEvent.Properties<V>, keyof NewerProperties>
    expectTypeOf<AddedBy<"2026-07-01">>().toEqualTypeOf<"advisorRecommendations">()
    expectTypeOf<AddedBy<"2026-08-01-preview">>().toEqualTypeOf<"argQuery" | "maintenanceId" | "maintenanceType">()
    expectTypeOf<Latest>().toHaveProperty("systemData")
  })

  it("is not assignable to another known version, but to any version", () => {
    // billingId of 2025-04-01 was not checked, and systemData of 2025-05-01 neither.
    expectTypeOf<Older>().not.toExtend<Newer>()
    expectTypeOf<Newer>().not.toExtend<Older>()
    expectTypeOf<Newer | Older>().toExtend<HealthEvent.HealthEvent<ApiVersion.ApiVersion>>()
  })

  it("follows the requested version, or is that of the default version, and of unknown versions that of the latest", () => {
    type Decoded<E> = Result.Result<E, InvalidField.InvalidField>
    expectTypeOf<HealthEvent.HealthEvent>().toEqualTypeOf<HealthEvent.HealthEvent<ApiVersion.Default>>()
    expectTypeOf(HealthEvent.decode("2025-04-01")).returns.toEqualTypeOf<Decoded<Older>>()
    expectTypeOf(HealthEvent.decode("2025-04-01", { vendor: "A" })).returns.toEqualTypeOf<Decoded<Older>>()
    expectTypeOf(HealthEvent.decode(other)).returns.toEqualTypeOf<Decoded<Latest>>()
    expectTypeOf<EventsPage.Page<ApiVersion.Other>["items"]>().toEqualTypeOf<ReadonlyArray<Latest>>()
    expectTypeOf(EventUnion.merge<ApiVersion.Other>).returns.toEqualTypeOf<Latest>()
    // @ts-expect-error -- text that is not validated
    void HealthEvent.decode("3000-01-01")
    expectTypeOf(other).toEqualTypeOf<ApiVersion.Other>()
    expectTypeOf<ApiVersion.Other>().not.toExtend<ApiVersion.Known>()
  })

  it("narrows an enumeration to the known values of the version", () => {
    // @ts-expect-error -- compared with an unknown value
    void (({ status }: NewerProperties) => OpenEnum.equals(status, "Actve"))
    // @ts-expect-error -- this version has no Billing
    void (({ eventType }: OlderProperties) => OpenEnum.equals(eventType, "Billing"))
    expectTypeOf(OpenEnum.find(HealthEvent.eventTypes("2025-04-01"), "")).not.toExtend<"Billing">()
    expectTypeOf(OpenEnum.find(Enumerations.EventStatus, "")).toEqualTypeOf<"Active" | "Resolved" | undefined>()
  })
})
