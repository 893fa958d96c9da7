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
    // @ts-expect-error -- compared with an unknown value
    expectTypeOf(({ status }: NewerProperties) => OpenEnum.equals(status, "Actve")).toBeFunction()
    // @ts-expect-error -- this version has no Billing
    expectTypeOf(({ eventType }: OlderProperties) => OpenEnum.equals(eventType, "Billing")).toBeFunction()
    expectTypeOf(OpenEnum.find(HealthEvent.eventTypes("2025-04-01"), "")).not.toExtend<"Billing">()
    expectTypeOf(OpenEnum.find(Enumerations.EventStatus, "")).toEqualTypeOf<"Active" | "Resolved" | undefined>()
  })
})
