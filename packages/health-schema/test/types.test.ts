/** What differs between the versions is visible in the types; compiled with the tests. */
import {
  ApiVersion,
  Enumerations,
  HealthEvent,
  type Impact,
  type InvalidField,
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

describe("an event of one version", () => {
  it("does not pass for one of another, though every version's passes for any", () => {
    const use = (newer: Newer, older: Older) => {
      // @ts-expect-error -- what 2025-04-01 sent as billingId was never checked
      const asNewer: Newer = older
      // @ts-expect-error -- nor is systemData of 2025-05-01
      const asOlder: Older = newer
      const any: ReadonlyArray<HealthEvent.HealthEvent<ApiVersion.ApiVersion>> = [newer, older]
      return [asNewer, asOlder, any]
    }
    expectTypeOf(use).toBeFunction()
  })

  it("has no Billing, even where the other version's enumeration is asked", () => {
    const use = (older: Older, newer: Newer) => {
      const type = older.properties?.eventType
      // @ts-expect-error -- no known type of this version is Billing
      if (OpenEnum.isKnown(Enumerations.EventType["2025-05-01"], type)) return type === "Billing"
      // @ts-expect-error -- an enumeration that lacks a value of the newer version can't tell
      return OpenEnum.isKnown(Enumerations.EventType["2025-04-01"], newer.properties?.eventType)
    }
    expectTypeOf(use).toBeFunction()
  })

  it("is asked with its own enumeration", () => {
    const use = (event: Newer) => {
      // @ts-expect-error -- a status is no level
      OpenEnum.isKnown(Enumerations.Level, event.properties?.status)
      const subType = event.properties?.eventSubType
      return OpenEnum.isKnown(Enumerations.EventSubType, subType) ? subType : undefined
    }
    expectTypeOf(use).returns.toEqualTypeOf<(typeof Enumerations.EventSubType.known)[number] | undefined>()
  })

  it("has its own fields in their types", () => {
    type SubType = (typeof Enumerations.EventSubType.known)[number]
    expectTypeOf<NewerProperties["eventSubType"]>().toEqualTypeOf<OpenEnum.OpenEnum<SubType> | null | undefined>()
    expectTypeOf<NonNullable<Older["systemData"]>["createdAt"]>().toEqualTypeOf<
      Timestamp.Timestamp | null | undefined
    >()
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
    expectTypeOf(HealthEvent.decode("2025-04-01")).returns.toEqualTypeOf<
      Either.Either<Older, InvalidField.InvalidField>
    >()
    expectTypeOf<HealthEvent.HealthEvent>().toEqualTypeOf<Newer>()
    expectTypeOf(HealthEvent.encode("2025-05-01")).parameter(0).toEqualTypeOf<Newer>()
    expectTypeOf(HealthEvent.decode(ApiVersion.other("2020-01-01"))).returns.toEqualTypeOf<
      Either.Either<Newer, InvalidField.InvalidField>
    >()
    // @ts-expect-error -- another version is no version of the document
    expectTypeOf(HealthEvent.decode("2020-01-01")).toBeFunction()
  })
})
