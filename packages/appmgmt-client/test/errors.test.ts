/** Every declared error is raised by a test, with a helpful message and without secrets: `harness.ts` searches each for the token. */
import { describe, expect, it } from "@effect/vitest"
import { ApiToken, type AppManagement, type AppManagementError } from "@vigil/appmgmt-client"
import { Reply } from "@vigil/sandbox"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { ada, anyLayer, runCall, canary, shop } from "./harness.js"

type AnyError = AppManagementError.CustomError | AppManagementError.RemoveUserError

const flat = (status: number, code: string, message: string, headers = {}) =>
  Reply.json({ statusCode: status, code, message }, { status, headers })

const failing = (
  reply: Reply.Reply,
  use: (apps: AppManagement.Service) => Effect.Effect<unknown, AnyError> = (apps) => apps.user,
  options: Partial<AppManagement.Options> = {},
) =>
  Effect.map(runCall([reply], use, options), ({ result }) => Either.getOrThrow(Either.flip(result))).pipe(
    Effect.provide(anyLayer),
  )

const post = (apps: AppManagement.Service) =>
  apps.request({ method: "POST", path: ["apps"], request: Schema.Struct({}), body: {}, response: Schema.Void })

/** Effects that return each error. */
const errors: Readonly<Record<AnyError["_tag"], ReturnType<typeof failing>>> = {
  AppNotFound: failing(flat(404, "AppNotFound", "No such app"), (apps) => apps.removeUser(shop, ada)),
  AppOrUserNotFound: failing(flat(404, "NotFound", "None of it"), (apps) => apps.removeUser(shop, ada)),
  BodyTooLarge: failing(Reply.huge(2_000), undefined, { maxBodyBytes: 1_000 }),
  CredentialError: failing(Reply.json({}), undefined, { apiToken: Redacted.make(`${canary}\nx`) }),
  DecodeError: failing(Reply.text("<html>")),
  Forbidden: failing(flat(403, "Forbidden", `Not with ${canary}`)),
  InvalidBody: failing(Reply.json({}), (apps) =>
    apps.request({
      method: "POST",
      path: ["apps"],
      request: Schema.NonEmptyString,
      body: "",
      response: Schema.Void,
    }),
  ),
  InvalidPath: failing(Reply.json({}), (apps) =>
    apps.request({ method: "GET", path: ["apps", ".."], response: Schema.Unknown }),
  ),
  LengthRequired: failing(flat(411, "LengthRequired", "A body is required"), post),
  LinkRefused: Effect.never,
  NotFound: failing(flat(404, "NotFound", "No such app")),
  RateLimited: failing(flat(429, "RateLimitExceeded", "Too many", { "retry-after": "300" })),
  RedirectRefused: failing(Reply.redirect(302, "https://elsewhere.example/")),
  ServiceError: failing(flat(409, "Conflict", "Not now")),
  TimeoutError: failing(Reply.silent, undefined, { timeout: "50 millis" }),
  TokenScopeError: failing(Reply.json({}), undefined, {
    apiToken: ApiToken.app({ secret: Redacted.make(canary), app: shop, access: "full" }),
  }),
  TransportError: failing(Reply.reset),
  Unauthorized: failing(flat(401, "Unauthorized", `The token ${canary} is unknown. Correlation ID: 5b0c5d0e`)),
  UserNotFound: failing(flat(404, "UserNotFound", "No such user"), (apps) => apps.removeUser(shop, ada)),
}

// This package never follows links, so it never raises `LinkRefused`.
const { LinkRefused: _, ...raisedErrors } = errors

describe("every error", () => {
  it.scopedLive.each(Object.entries(raisedErrors))("%s has a message with the reason", ([tag, raise]) =>
    Effect.gen(function* () {
      const error = yield* raise
      expect(error._tag).toBe(tag)
      expect(error.message).toMatch(/^AppManagement\.(user|removeUser|request): .*\.$/)
      expect(error.message).not.toContain(canary)
    }),
  )
})

describe("401", () => {
  it.scopedLive("evaluates the token's effect again, once", () =>
    Effect.gen(function* () {
      let evaluations = 0
      // Every evaluation returns the test token, because `runCall` searches every request for it.
      const apiToken = Effect.sync(() => {
        evaluations++
        return Redacted.make(canary)
      })
      const renewed = yield* runCall([Reply.empty(401), Reply.json({ name: "ada" })], (apps) => apps.user, { apiToken })
      expect(renewed.result).toEqual(Either.right({ name: "ada" }))
      expect([evaluations, renewed.requests.length]).toEqual([2, 2])
      const refused = yield* runCall([Reply.empty(401)], (apps) => apps.user, { apiToken })
      expect(refused.result).toMatchObject({ left: { _tag: "Unauthorized" } })
      expect(refused.requests).toHaveLength(2)
    }).pipe(Effect.provide(anyLayer)),
  )
})

describe("429", () => {
  it.scopedLive("contains the delay", () =>
    Effect.gen(function* () {
      const error = yield* errors.RateLimited
      expect(error).toMatchObject({
        status: 429,
        code: "RateLimitExceeded",
        retryAfter: Option.some(Duration.minutes(5)),
      })
      expect(error.message).toBe(
        "AppManagement.user: the app-management service responded 429 RateLimitExceeded: Too many. Try again in 5m.",
      )
    }),
  )
})

describe("411", () => {
  it.scopedLive("has a message about the missing body", () =>
    Effect.gen(function* () {
      const error = yield* errors.LengthRequired
      expect(error).toMatchObject({ status: 411, operation: "AppManagement.request" })
      expect(error.message).toContain("Send a body; an empty one is {}")
    }),
  )
})
