import { describe, expect, expectTypeOf, it } from "@effect/vitest"
import { ResourceUri, SubscriptionId, TrackingId } from "@vigil/health-client"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"

const decode = Schema.decodeUnknownResult(TrackingId.TrackingId)

describe("TrackingId", () => {
  it.each(["BC_1-FXZ", "0NKQ-LTG", "a b", "ünï", "..."])("accepts %j", (text) => {
    expect(TrackingId.make(text)).toBe(text)
    expect(decode(text)).toEqual(Result.succeed(text))
  })

  it.each(["", ".", "..", "a/b", "a\\b", "a?b", "a#b", "a%2e", "a\nb", "a\u0000", "\ud800"])("rejects %j", (text) => {
    expect(() => TrackingId.make(text)).toThrow()
    expect(Result.isFailure(decode(text))).toBe(true)
    expect(() => SubscriptionId.make(text)).toThrow()
  })

  it.each(["", "/", "a//b", "/a/../b", "/a/b/", "/a/b?c", "/a/%2e%2e"])(
    "differs from a ResourceUri, which rejects %j",
    (uri) => {
      expect(() => ResourceUri.make(uri)).toThrow()
    },
  )

  it("is not assignable from other IDs or plain text", () => {
    expectTypeOf<SubscriptionId.SubscriptionId>().not.toExtend<TrackingId.TrackingId>()
    expectTypeOf<string>().not.toExtend<TrackingId.TrackingId>()
    expectTypeOf(TrackingId.make("BC_1-FXZ")).toEqualTypeOf<TrackingId.TrackingId>()
  })
})
