import { describe, expect, it } from "@effect/vitest"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { clientOf, fake, ok } from "./fake.js"

describe("an invalid option", () => {
  it.effect.each([
    [{ concurrency: 0 }, "concurrency", "1 or more"],
    [{ maxBodyBytes: -1 }, "maxBodyBytes", "0 or more"],
    [{ maxBodyBytes: Number.NaN }, "maxBodyBytes", "0 or more"],
    [{ rateLimit: { requests: 0, per: "1 second" } }, "rateLimit.requests", "1 or more"],
    [{ rateLimit: { requests: 1, per: Duration.infinity } }, "rateLimit.per", "a duration above 0"],
    [{ retryBudget: -1 }, "retryBudget", "0 or more"],
    [{ timeout: 0 }, "timeout", "a duration above 0"],
    [{ totalTimeout: 0 }, "totalTimeout", "a duration above 0"],
    [{ userAgent: "a\nb" }, "userAgent", "valid header text"],
  ] as const)("is named in the error: %j", ([options, setting, expected]) =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(clientOf(fake(ok), options))
      expect(error).toMatchObject({ _tag: "InvalidSetting", setting, expected })
    }),
  )

  it.effect("is distinguished from the smallest and the largest valid values", () =>
    Effect.gen(function* () {
      const smallest = { concurrency: 1, maxBodyBytes: 0, retryBudget: 0, timeout: 1, userAgent: "a" }
      yield* clientOf(fake(ok), { ...smallest, rateLimit: { requests: 1, per: 1 }, totalTimeout: Duration.infinity })
    }),
  )
})
