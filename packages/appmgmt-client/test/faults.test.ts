/** A handful of faults, which show that the client is connected to core-http. The tests of core-http have all of them. */
import { expect, it } from "@effect/vitest"
import type { AppManagement } from "@vigil/appmgmt-client"
import { Faults } from "@vigil/sandbox"
import * as FaultRuns from "@vigil/testing/FaultRuns"
import * as HttpStack from "@vigil/testing/HttpStack"
import * as Recorder from "@vigil/testing/Recorder"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import { ada, canary, connect, runCall, shop } from "./harness.js"

/** The reason, or `done`, and the number of requests: of a GET and of a removal, which is retried like a GET. */
const expected = {
  "redirect-307-other-origin": ["Redirect 1", "Redirect 1"],
  "redirect-same-origin": ["done 2", "Redirect 1"],
  "connection-refused": ["Transport 0", "Transport 0"],
  "tls-untrusted": ["Transport 0", "Transport 0"],
  "reset-before-headers-once": ["done 2", "done 2"],
  "short-body": ["Transport 4", "Transport 4"],
  silent: ["Timeout 4", "Timeout 4"],
  "too-large-chunked": ["BodyTooLarge 1", "BodyTooLarge 1"],
  "retry-after-ten-years": ["RateLimited 1", "RateLimited 1"],
  "status-503": ["ServiceFailure 4", "ServiceFailure 4"],
  "error-echo": ["Unauthorized 1", "Unauthorized 1"],
} satisfies Partial<Record<Faults.Name, readonly [user: string, removal: string]>>

const calls: ReadonlyArray<
  (apps: AppManagement.Service) => Effect.Effect<unknown, { readonly reason: { _tag: string } }>
> = [(apps) => apps.user, (apps) => apps.removeUser(shop, ada)]

// Safe, because `expected` is an object literal with exactly these keys.
const names = Object.keys(expected) as ReadonlyArray<keyof typeof expected>

FaultRuns.each(FaultRuns.over(names), "user and removeUser under %s over %s", ([name, stack]) =>
  Effect.gen(function* () {
    for (const [index, call] of calls.entries()) {
      const { foreign, scenario, server } = yield* Faults.start(name)
      const apps = yield* Effect.provide(
        connect(server.origin, { timeout: FaultRuns.timeoutOf(name) }),
        HttpStack.forFault(stack, scenario),
      )
      const secret = { canary, header: "x-api-token", value: new RegExp(`^${canary}$`) }
      const result = yield* Recorder.guarded({ server, foreign }, secret, Effect.result(call(apps)), (result) => [Result.merge(result)])
      const outcome = Result.isFailure(result) ? result.failure.reason._tag : "done"
      expect(`${outcome} ${(yield* server.requests).length}`).toBe(expected[name][index])
    }
  }),
)

it.live.each([
  ["malformed", Redacted.make(`${canary}\r\nx-evil: 1`)],
  ["empty", Redacted.make("")],
  ["unavailable", Effect.fail(`no ${canary}`)],
  ["unavailable", Effect.die(new Error(canary))],
] as const)("an API token that is %s sends no request", ([problem, apiToken]) =>
  Effect.gen(function* () {
    const { result, requests } = yield* runCall([], (apps) => apps.removeUser(shop, ada), { apiToken })
    expect(result).toMatchObject({ failure: { reason: { _tag: "Credential", problem }, maybeApplied: false } })
    expect(requests).toEqual([])
  }).pipe(Effect.provide(HttpStack.oneLayer)),
)
