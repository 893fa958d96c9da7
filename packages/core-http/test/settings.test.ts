import { describe, expect, it } from "@effect/vitest"
import { RetryPolicy } from "@vigil/core-http"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { clientOf, fake, ok } from "./fake.js"

describe("an invalid option", () => {
  it.scoped.each([
    [{ concurrency: 0 }, "concurrency"],
    [{ maxBodyBytes: -1 }, "maxBodyBytes"],
    [{ rateLimit: { requests: 0, per: "1 second" } }, "rateLimit.requests"],
    [{ rateLimit: { requests: 1, per: Duration.infinity } }, "rateLimit.per"],
    [{ retry: RetryPolicy.make({ retries: -1 }) }, "retry.retries"],
    [{ retry: RetryPolicy.make({ budget: -1 }) }, "retry.budget"],
    [{ timeout: 0 }, "timeout"],
    [{ totalTimeout: 0 }, "totalTimeout"],
    [{ userAgent: "a\nb" }, "userAgent"],
  ] as const)("is named in the error: %j", ([options, setting]) =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(clientOf(fake(ok), options))
      expect(error).toMatchObject({ _tag: "InvalidSetting", setting })
      expect(error.message).toContain(setting)
    }),
  )

  it.scoped("is distinguished from the smallest and the largest valid values", () =>
    Effect.gen(function* () {
      const retry = RetryPolicy.make({ retries: 0, budget: 0 })
      const options = { concurrency: 1, maxBodyBytes: 0, retry, timeout: 1, totalTimeout: Duration.infinity }
      const made = yield* Effect.option(
        clientOf(fake(ok), { ...options, userAgent: "a", rateLimit: { requests: 1, per: 1 } }),
      )
      expect(Option.isSome(made)).toBe(true)
    }),
  )
})
