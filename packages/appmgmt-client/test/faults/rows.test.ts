/** Faults that depend on the request, on time, or on the token. */
import * as References from "effect/References"
import { describe, expect, it } from "@effect/vitest"
import { AppName, Email, RetryPolicy } from "@vigil/appmgmt-client"
import { Faults, Reply } from "@vigil/sandbox"
import * as random from "@vigil/testing/random"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Fiber from "effect/Fiber"
import * as Logger from "effect/Logger"
import * as Random from "effect/Random"
import * as Redacted from "effect/Redacted"
import * as TestClock from "effect/testing/TestClock"
import { layers, oneLayer, trusting } from "@vigil/testing/HttpStack"
import { ada, runCall, canary, connect, guarded, printed, shop } from "../harness.js"

const custom = { operation: "Custom", url: "/v0.1/apps", decode: Effect.succeed }

describe.each(layers)("over %s", (name, layer) => {
  it.live("GET and DELETE succeed over TLS with a trusted certificate", () =>
    Effect.gen(function* () {
      const server = yield* Faults.serve(
        ({ method }) => (method === "GET" ? Reply.json({ name: "ada" }) : Reply.empty(204)),
        {
          tls: true,
        },
      )
      const both = Effect.flatMap(connect(server.origin), (apps) => Effect.all([apps.user, apps.removeUser(shop, ada)]))
      const result = yield* guarded([server], Effect.provide(both, trusting(name)))
      expect(result).toEqual(Result.succeed([{ name: "ada" }, { _tag: "Removed" }]))
      expect((yield* server.requests).map(({ secure }) => secure)).toEqual([true, true])
    }),
  )

  it.live("every call to an unknown host fails with TransportError", () =>
    Effect.gen(function* () {
      const apps = yield* connect("https://vigil.invalid")
      for (const call of [Effect.flip(apps.user), Effect.flip(apps.removeUser(shop, ada))]) {
        const error = yield* call
        expect(error).toMatchObject({ _tag: "TransportError", origin: "https://vigil.invalid" })
        expect(error.message).toMatch(/ENOTFOUND|EAI_AGAIN/)
        expect(printed(error)).not.toContain(canary)
      }
    }).pipe(Effect.provide(layer)),
  )

  it.live(
    "text that would change a path is rejected in an app name, and encoded as one segment in an email address",
    () =>
      Effect.gen(function* () {
        for (const text of ["", "..", "a/b", "a?b", "a#b", "%2e%2e", "a\nb"]) {
          expect(() => AppName.make(text, "shop")).toThrow()
          expect(() => AppName.make("contoso", text)).toThrow()
        }
        expect(() => Email.make("")).toThrow()
        const { requests } = yield* runCall([Reply.empty(204)], (apps) =>
          apps.removeUser(shop, Email.make("a+b/../c?d#e%2f@contoso.example")),
        )
        expect(requests.map(({ target }) => target)).toEqual([
          "/v0.1/apps/contoso/shop/users/a%2Bb%2F..%2Fc%3Fd%23e%252f%40contoso.example",
        ])
      }).pipe(Effect.provide(layer)),
  )
})

describe("over any HTTP stack", () => {
  it.effect.each(["retry-after-seconds", "retry-after-date", "retry-after-503"] as const)(
    "a removal waits for the Retry-After of %s",
    (name) =>
      Effect.gen(function* () {
        const { server } = yield* Faults.start(name)
        const waiting = yield* Deferred.make<void>()
        const logger = Logger.make(({ message }) => {
          if (String(message).includes("Retrying in 2s")) Deferred.doneUnsafe(waiting, Effect.void)
        })
        // The timeouts use the test clock, which does not advance while the socket is read.
        const apps = yield* connect(server.origin, {
          retry: RetryPolicy.standard,
          timeout: "1 hours",
          totalTimeout: "1 hours",
        })
        const removing = yield* apps.removeUser(shop, ada).pipe(
          Effect.provideService(References.MinimumLogLevel, "Debug"),
          Effect.provide(Logger.layer([logger], { mergeWithExisting: true })),
          // Without jitter.
          Effect.provideService(Random.Random, random.fixed([0])),
          Effect.forkChild,
        )
        yield* Deferred.await(waiting)
        yield* TestClock.adjust("1999 millis")
        expect(yield* server.requests).toHaveLength(1)
        yield* TestClock.adjust("1 millis")
        expect(yield* Fiber.join(removing)).toEqual({ _tag: "Removed" })
      }).pipe(Effect.provide(oneLayer)),
  )

  it.live.each([
    ["a line break", `${canary}\r\nx-evil: 1`, "malformed"],
    ["a non-ASCII character", `${canary}ü`, "malformed"],
    ["trailing white space", `${canary} `, "malformed"],
    ["no character", "", "empty"],
  ] as const)("a token with %s is a CredentialError, and no request is sent", ([, token, reason]) =>
    Effect.gen(function* () {
      const { result, requests } = yield* runCall(
        [Reply.json({})],
        (apps) => Effect.all([Effect.flip(apps.user), Effect.flip(apps.removeUser(shop, ada))]),
        { apiToken: Redacted.make(token) },
      )
      expect(requests).toEqual([])
      expect(result).toMatchObject({
        success: [
          { _tag: "CredentialError", reason, operation: "AppManagement.user" },
          { _tag: "CredentialError", reason, operation: "AppManagement.removeUser" },
        ],
      })
    }).pipe(Effect.provide(oneLayer)),
  )

  it.live("an error that contains the secret becomes a CredentialError without it", () =>
    Effect.gen(function* () {
      for (const apiToken of [Effect.fail(`no ${canary}`), Effect.die(new Error(canary))]) {
        const { result, requests } = yield* runCall([Reply.json({})], (apps) => apps.user, { apiToken })
        expect(requests).toEqual([])
        expect(result).toMatchObject({ failure: { _tag: "CredentialError", reason: "unavailable" } })
      }
    }).pipe(Effect.provide(oneLayer)),
  )

  it.live("a POST is retried with its body after a 429", () =>
    Effect.gen(function* () {
      const { result, requests } = yield* runCall([Reply.empty(429), Reply.json({ ok: true })], (apps) =>
        apps.request({ ...custom, method: "POST", body: { name: "shop" } }),
      )
      expect(result).toEqual(Result.succeed({ ok: true }))
      expect(requests.map(({ body }) => body)).toEqual([`{"name":"shop"}`, `{"name":"shop"}`])
    }).pipe(Effect.provide(oneLayer)),
  )

  it.live("no error contains a token that the response repeats", () =>
    Effect.gen(function* () {
      for (const status of [400, 401, 403, 404, 409, 411, 500]) {
        const { result } = yield* runCall(
          (request) => Reply.echo(request, status),
          (apps) =>
            Effect.all([
              Effect.flip(apps.user),
              Effect.flip(apps.removeUser(shop, ada)),
              Effect.flip(apps.request({ ...custom, method: "GET" })),
            ]),
        )
        expect(result).toMatchObject({ success: [{ status }, { status }, { status }] })
        for (const { message } of Result.getOrThrow(result)) expect(message).toContain("<redacted>")
      }
    }).pipe(Effect.provide(oneLayer)),
  )
})
