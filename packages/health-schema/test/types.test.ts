/** What differs between the versions is visible in the types; compiled with the tests. */
import {
  type ApiVersion,
  Enumerations,
  HealthEvent,
  type Impact,
  OpenEnum,
  type Timestamp,
  type Update,
} from "@vigil/health-schema"
import type * as Either from "effect/Either"
import { describe, expectTypeOf, it } from "vitest"

type Newer = HealthEvent.HealthEvent<"2025-05-01">
type Older = HealthEvent.HealthEvent<"2025-04-01">
type NewerProperties = HealthEvent.Properties<"2025-05-01">
type OlderProperties = HealthEvent.Properties<"2025-04-01">

describe("version 2025-05-01 alone", () => {
  it("has these properties", () => {
    expectTypeOf<NewerProperties["billingId"]>().toEqualTypeOf<string | null | undefined>()
    expectTypeOf<NewerProperties["currencyType"]>().toEqualTypeOf<string | null | undefined>()
    expectTypeOf<NewerProperties["newRate"]>().toEqualTypeOf<number | null | undefined>()
    expectTypeOf<NewerProperties["oldRate"]>().toEqualTypeOf<number | null | undefined>()
    expectTypeOf<NewerProperties>().toHaveProperty("eventSubType")
    expectTypeOf<OlderProperties>().not.toHaveProperty("billingId")
    expectTypeOf<OlderProperties>().not.toHaveProperty("currencyType")
    expectTypeOf<OlderProperties>().not.toHaveProperty("newRate")
    expectTypeOf<OlderProperties>().not.toHaveProperty("oldRate")
    expectTypeOf<OlderProperties>().not.toHaveProperty("eventSubType")
  })

  it("has a location", () => {
    expectTypeOf<Newer["location"]>().toEqualTypeOf<string | null | undefined>()
    expectTypeOf<Older>().not.toHaveProperty("location")
  })

  it("has tags on an update", () => {
    expectTypeOf<Update.Update<"2025-05-01">>().toHaveProperty("eventTags")
    expectTypeOf<Update.Update<"2025-04-01">>().not.toHaveProperty("eventTags")
    type UpdateIn<V extends ApiVersion.ApiVersion> = NonNullable<Impact.ImpactedServiceRegion<V>["updates"]>[number]
    expectTypeOf<UpdateIn<"2025-05-01">>().toHaveProperty("eventTags")
    expectTypeOf<UpdateIn<"2025-04-01">>().not.toHaveProperty("eventTags")
  })

  it("has the type Billing, once a value is known", () => {
    const newer = (event: Newer) => {
      const type = event.properties?.eventType
      return OpenEnum.isKnown(Enumerations.EventType["2025-05-01"], type) ? type === "Billing" : undefined
    }
    const older = (event: Older) => {
      const type = event.properties?.eventType
      // @ts-expect-error -- no known type of this version is Billing
      return OpenEnum.isKnown(Enumerations.EventType["2025-04-01"], type) ? type === "Billing" : undefined
    }
    expectTypeOf(newer).returns.toEqualTypeOf<boolean | undefined>()
    expectTypeOf(older).toBeFunction()
  })
})

describe("version 2025-04-01 alone", () => {
  it("has systemData", () => {
    expectTypeOf<Older>().toHaveProperty("systemData")
    expectTypeOf<Newer>().not.toHaveProperty("systemData")
  })
})

describe("every version", () => {
  it("types dates, enumerations and absence alike", () => {
    expectTypeOf<NewerProperties["lastUpdateTime"]>().toEqualTypeOf<Timestamp.Timestamp | null | undefined>()
    expectTypeOf<OlderProperties["status"]>().toEqualTypeOf<
      OpenEnum.OpenEnum<"Active" | "Resolved"> | null | undefined
    >()
  })

  it("is chosen by a value, and the newest by default", () => {
    expectTypeOf(HealthEvent.decode("2025-04-01")).returns.toEqualTypeOf<Either.Either<Older, HealthEvent.Issue>>()
    expectTypeOf<HealthEvent.HealthEvent>().toEqualTypeOf<Newer>()
    expectTypeOf(HealthEvent.encode("2025-05-01")).parameter(0).toEqualTypeOf<Newer>()
    // @ts-expect-error -- another version is no version of the document
    HealthEvent.decode("2020-01-01")
  })
})
