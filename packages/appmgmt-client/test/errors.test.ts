/** Every declared error is raised by a test, with a helpful message and without secrets: `harness.ts` searches each for the token. */
import { describe, expect, it } from "@effect/vitest"
import { type AppManagement, type AppManagementError, Decoder, type RequestError } from "@vigil/appmgmt-client"
import { Reply } from "@vigil/sandbox"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Redacted from "effect/Redacted"
import { ada, anyLayer, runCall, canary, shop } from "./harness.js"

type AnyError = RequestError.RequestError | AppManagementError.RemoveUserError

const flat = (status: number, code: string, message: string, headers = {}) =>
  Reply.json({ statusCode: status, code, message }, { status, headers })

const failing = (
  reply: Reply.Reply,
  use: (apps: AppManagement.Service) => Effect.Effect<unknown, AnyError> = (apps) => apps.user,
  options: Partial<AppManagement.Options> = {},
) =>
  Effect.map(runCall([reply], use, options), ({ result }) => Result.getOrThrow(Result.flip(result))).pipe(
    Effect.provide(anyLayer),
  )

const post =
  (url: string) =>
  (apps: AppManagement.Service): Effect.Effect<void, AnyError> =>
    apps.request({ operation: "AppManagement.request", method: "POST", url, body: {}, decode: Decoder.ignore })

/** Effects that return each error. */
const errors: Readonly<Record<AnyError["_tag"], ReturnType<typeof failing>>> = {
  AppNotFound: failing(flat(404, "AppNotFound", "No such app"), (apps) => apps.removeUser(shop, ada)),
  AppOrUserNotFound: failing(flat(404, "NotFound", "None of it"), (apps) => apps.removeUser(shop, ada)),
  BodyTooLarge: failing(Reply.huge(2_000), undefined, { maxBodyBytes: 1_000 }),
  CredentialError: failing(Reply.json({}), undefined, { apiToken: Redacted.make(`${canary}\nx`) }),
  DecodeError: failing(Reply.text("<html>")),
  Forbidden: failing(flat(403, "Forbidden", `Not with ${canary}`)),
  LinkRefused: failing(Reply.json({}), post("https://elsewhere.example/v0.1/apps")),
  NotFound: failing(flat(404, "NotFound", "No such app")),
  RateLimited: failing(flat(429, "RateLimitExceeded", "Too many", { "retry-after": "300" })),
  RedirectRefused: failing(Reply.redirect(302, "https://elsewhere.example/")),
  ServiceError: failing(flat(409, "Conflict", "Not now")),
  TimeoutError: failing(Reply.silent, undefined, { timeout: "50 millis" }),
  TransportError: failing(Reply.reset),
  Unauthorized: failing(flat(401, "Unauthorized", `The token ${canary} is unknown. Correlation ID: 5b0c5d0e`)),
  UserNotFound: failing(flat(404, "UserNotFound", "No such user"), (apps) => apps.removeUser(shop, ada)),
}

describe("every error", () => {
  it.live.each(Object.entries(errors))("%s has a message with the reason", ([tag, raise]) =>
    Effect.gen(function* () {
      const error = yield* raise
      expect(error).toMatchObject({ _tag: tag, service: "app-management" })
      expect(error.message).toMatch(/^AppManagement\.(user|removeUser|request): .*\.$/)
      expect(error.message).not.toContain(canary)
    }),
  )
})

describe("401", () => {
  it.live("evaluates the token's effect again, once", () =>
    Effect.gen(function* () {
      let evaluations = 0
      // Every evaluation returns the test token, because `runCall` searches every request for it.
      const apiToken = Effect.sync(() => {
        evaluations++
        return Redacted.make(canary)
      })
      const renewed = yield* runCall([Reply.empty(401), Reply.json({ name: "ada" })], (apps) => apps.user, { apiToken })
      expect(renewed.result).toEqual(Result.succeed({ name: "ada" }))
      expect([evaluations, renewed.requests.length]).toEqual([2, 2])
      const refused = yield* runCall([Reply.empty(401)], (apps) => apps.user, { apiToken })
      expect(refused.result).toMatchObject({ failure: { _tag: "Unauthorized" } })
      expect(refused.requests).toHaveLength(2)
    }).pipe(Effect.provide(anyLayer)),
  )
})
