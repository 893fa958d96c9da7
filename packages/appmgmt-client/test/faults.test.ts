/** A handful of faults, which show that the client is connected to core-http. The tests of core-http have all of them, over each HTTP stack. */
import { expect, it } from "@effect/vitest"
import { Faults } from "@vigil/sandbox"
import * as FaultRuns from "@vigil/testing/FaultRuns"
import * as HttpStack from "@vigil/testing/HttpStack"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { ada, connect, guarded, shop } from "./harness.js"

/**
 * The reason, or `done`, and the number of requests: of a GET and of a removal, which is retried like a GET. On a slow machine, an attempt may
 * time out before the server gets its request.
 */
const expected = {
  "redirect-307-other-origin": ["Redirect 1", "Redirect 1"],
  "redirect-same-origin": ["done 2", "Redirect 1"],
  "connection-refused": ["Transport 0", "Transport 0"],
  "tls-untrusted": ["Transport 0", "Transport 0"],
  "reset-before-headers-once": ["done 2", "done 2"],
  "short-body": ["Transport 4", "Transport 4"],
  silent: ["Timeout", "Timeout"],
  "too-large-chunked": ["BodyTooLarge 1", "BodyTooLarge 1"],
  "retry-after-ten-years": ["RateLimited 1", "RateLimited 1"],
  "status-503": ["ServiceFailure 4", "ServiceFailure 4"],
  "error-echo": ["Unauthorized 1", "Unauthorized 1"],
} satisfies Partial<Record<Faults.Name, readonly [user: string, removal: string]>>

// Safe, because `expected` is an object literal with exactly these keys.
const names = Object.keys(expected) as ReadonlyArray<keyof typeof expected>

it.live.each(names)("user and removeUser under %s", (name) =>
  Effect.gen(function* () {
    for (const index of [0, 1] as const) {
      const { foreign, scenario, server } = yield* Faults.start(name)
      const call = Effect.gen(function* () {
        const apps = yield* Effect.orDie(
          connect(server.origin, { timeout: FaultRuns.timeoutOf(name), maxBodyBytes: 1_048_576 }),
        )
        return yield* index === 0 ? apps.user : apps.removeUser(shop, ada)
      })
      const result = yield* guarded(
        { server, foreign },
        Effect.provide(call, HttpStack.forFault(HttpStack.one, scenario)),
      )
      const outcome = Result.isSuccess(result) ? "done" : result.failure.reason._tag
      const requests = name === "silent" ? [] : [(yield* server.requests).length]
      expect([outcome, ...requests].join(" ")).toBe(expected[name][index])
    }
  }),
)
