/** Background work of a client ends with its scope. */
import { execFile } from "node:child_process"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { describe, expect, it } from "@effect/vitest"
import { Credential } from "@vigil/core-http"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Redacted from "effect/Redacted"
import * as Scope from "effect/Scope"
import { clientOf, fake, get, ok, outcome, settle } from "./fake.js"

describe("a credential with a time to live of zero", () => {
  it.effect("is fetched after the request has waited for the rate limiter", () =>
    Effect.gen(function* () {
      const times: Array<number> = []
      const secret = Effect.map(Clock.currentTimeMillis, (now) => {
        times.push(now)
        return Redacted.make("t")
      })
      const service = yield* clientOf(fake(ok), {
        credential: Credential.bearer(secret, { timeToLive: 0 }),
        rateLimit: { requests: 1, per: "1 minute" },
      })
      yield* outcome(get(service))
      yield* outcome(get(service))
      expect(times).toEqual([0, 60_000])
    }),
  )
})

describe("the scope of a client", () => {
  it.effect("interrupts the fetch of the credential when it closes", () =>
    Effect.gen(function* () {
      let interrupted = false
      const secret = Effect.onInterrupt(Effect.never, () => Effect.sync(() => (interrupted = true)))
      const scope = yield* Scope.make()
      const service = yield* Scope.provide(clientOf(fake(ok), { credential: Credential.bearer(secret) }), scope)
      const request = yield* Effect.forkChild(get(service))
      yield* settle
      yield* Scope.close(scope, Exit.void)
      expect(interrupted).toBe(true)
      expect(yield* Effect.flip(Fiber.join(request))).toMatchObject({ _tag: "CredentialError", reason: "closed" })
    }),
  )

  it.effect("fails a request that needs a credential after it has closed", () =>
    Effect.gen(function* () {
      const scope = yield* Scope.make()
      const credential = Credential.bearer(Effect.sync(() => Redacted.make("t")))
      const service = yield* Scope.provide(clientOf(fake(ok), { credential }), scope)
      yield* Scope.close(scope, Exit.void)
      expect((yield* outcome(get(service))).error).toMatchObject({ _tag: "CredentialError", reason: "closed" })
    }),
  )

  it.effect("is not reported as the reason if a fetch fails and interrupts its concurrent part", () =>
    Effect.gen(function* () {
      const failure: Credential.Failure = { reason: "unavailable" }
      const value = Effect.all([Effect.fail(failure), Effect.never], { concurrency: "unbounded" })
      const credential = { ...Credential.bearer(Redacted.make("t")), value: Effect.map(value, ([secret]) => secret) }
      const service = yield* clientOf(fake(ok), { credential })
      expect((yield* outcome(get(service))).error).toMatchObject({ _tag: "CredentialError", reason: "unavailable" })
    }),
  )

  it("does not keep a process alive while a credential is being fetched", async () => {
    const program = `
      import { Credential, Decoder, ServiceClient, TestHttpClient } from "@vigil/core-http"
      import { Effect } from "effect"
      const secret = Effect.delay(Effect.never, "1 hour")
      const program = Effect.gen(function* () {
        const service = yield* ServiceClient.make({
          service: "thing", baseUrl: "https://service.test", credential: Credential.bearer(secret), timeout: "1 hour",
        })
        const request = service.get({ operation: "Thing.get", url: "/", decode: Decoder.ignore })
        yield* Effect.timeoutOption(request, "50 millis")
      })
      await Effect.runPromise(Effect.provide(Effect.scoped(program), TestHttpClient.layer(() => ({ json: {} }))))
      console.log("done")
    `
    const cwd = fileURLToPath(new URL("..", import.meta.url))
    const run = promisify(execFile)
    const { stdout } = await run(process.execPath, ["--input-type=module", "--eval", program], { cwd })
    expect(stdout).toBe("done\n")
  })
})
