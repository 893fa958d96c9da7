import { describe, expect, it } from "@effect/vitest"
import { RetryPolicy } from "@vigil/core-http"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { clientOf, fake, ok } from "./fake.js"

describe("a setting that limits nothing, or stops everything", () => {
  it.scoped.each([
    [{ concurrency: 0 }, "concurrency", "a number of 1 or more"],
    [{ maxBodyBytes: -1 }, "maxBodyBytes", "a number of 0 or more"],
    [{ rateLimit: { requests: 0, per: "1 second" } }, "rateLimit.requests", "a number of 1 or more"],
    [{ rateLimit: { requests: 1, per: Duration.infinity } }, "rateLimit.per", "a time that ends"],
    [{ retry: RetryPolicy.make({ retries: -1 }) }, "retry.retries", "a number of 0 or more"],
    [{ retry: RetryPolicy.make({ budget: -1 }) }, "retry.budget", "a number of 0 or more"],
    [{ timeout: 0 }, "timeout", "a time"],
    [{ totalTimeout: 0 }, "totalTimeout", "a time"],
    [{ userAgent: "a\nb" }, "userAgent", "a text that a header may carry"],
  ] as const)("is named: %j", ([options, setting, expected]) =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(clientOf(fake(ok), options))
      expect(error).toMatchObject({ _tag: "InvalidSetting", setting, expected })
    }),
  )

  it.scoped("is told apart from one that is as small, or as large, as it can be", () =>
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
