import { describe, expect, it } from "@effect/vitest"
import { RetryPolicy } from "@vigil/core-http"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { clientOf, fake, ok } from "./fake.js"

describe("an invalid option", () => {
  it.effect.each([
    [{ concurrency: 0 }, "concurrency", "1 or more"],
    [{ maxBodyBytes: -1 }, "maxBodyBytes", "0 or more"],
    [{ maxBodyBytes: Number.NaN }, "maxBodyBytes", "0 or more"],
    [{ rateLimit: { requests: 0, per: "1 second" } }, "rateLimit.requests", "1 or more"],
    [{ rateLimit: { requests: 1, per: Duration.infinity } }, "rateLimit.per", "a duration above 0"],
    [{ retry: RetryPolicy.make({ retries: -1 }) }, "retry.retries", "0 or more"],
    [{ retry: RetryPolicy.make({ budget: -1 }) }, "retry.budget", "0 or more"],
    [{ timeout: 0 }, "timeout", "a duration above 0"],
    [{ totalTimeout: 0 }, "totalTimeout", "a duration above 0"],
    [{ userAgent: "a\nb" }, "userAgent", "valid header text"],
  ] as const)("is named in the error: %j", ([options, setting, expected]) =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(clientOf(fake(ok), options))
      expect(error).toMatchObject({ _tag: "InvalidSetting", setting })
      expect(error.message).toContain(`${setting} must be ${expected}.`)
    }),
  )

  it.effect("is distinguished from the smallest and the largest valid values", () =>
    Effect.gen(function* () {
      const retry = RetryPolicy.make({ retries: 0, budget: 0 })
      const options = { concurrency: 1, maxBodyBytes: 0, retry, timeout: 1, totalTimeout: Duration.infinity }
      const client = yield* Effect.option(
        clientOf(fake(ok), { ...options, userAgent: "a", rateLimit: { requests: 1, per: 1 } }),
      )
      expect(Option.isSome(client)).toBe(true)
    }),
  )
})
