/** Results of removing a user, by response and by sequence of responses. */
import { describe, expect, it } from "@effect/vitest"
import { AppName, Removal, RetryPolicy } from "@vigil/appmgmt-client"
import { Reply, Sandbox } from "@vigil/sandbox"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Ref from "effect/Ref"
import { ada, anyLayer, runCall, canary, connect, layers, shop } from "./harness.js"

const notFound = (body: unknown) => Reply.json(body, { status: 404 })

const noUser = notFound({ statusCode: 404, code: "UserNotFound", message: "The user is not a member of the app." })
const noApp = notFound({ statusCode: 404, code: "AppNotFound", message: "The app does not exist." })

/** Bodies of a 404 with an exact code, in each form of the field notes. */
const explicit = [
  ["flat", { message: "Gone", statusCode: 404, code: "UserNotFound" }, "UserNotFound"],
  ["flat", { message: "Gone", statusCode: 404, code: "AppNotFound" }, "AppNotFound"],
  ["nested", { error: { code: "UserNotFound", message: "Gone" } }, "UserNotFound"],
  ["nested", { error: { code: "AppNotFound", message: "Gone" } }, "AppNotFound"],
  ["flat, with an id,", { id: "1", code: "UserNotFound", message: "The app does not exist" }, "UserNotFound"],
  ["flat, with an id,", { id: "1", code: "AppNotFound", message: "The user does not exist" }, "AppNotFound"],
] as const

/** Responses with a 404 and without one of the two exact codes. */
const vague = [
  ["Not Found", Reply.text("Not Found", { status: 404 })],
  ["default backend - 404", Reply.text("default backend - 404", { status: 404 })],
  ["no healthy upstream", Reply.text("no healthy upstream", { status: 404 })],
  ["Tenant not found", Reply.text("Tenant not found", { status: 404 })],
  ["The requested page was not found", Reply.text("The requested page was not found", { status: 404 })],
  ["an empty body", Reply.empty(404)],
  ...[
    {},
    [],
    { code: "NotFound" },
    { error: { code: "404" } },
    { error: { code: 404, message: "The user does not exist." } },
    { message: "User not found" },
    { message: "App not found" },
    { message: "Tenant not found" },
    { statusCode: 404, code: "Not Found", message: "UserNotFound" },
    { code: "usernotfound" },
    { code: "UserNotFound " },
    { code: "UserNotFoundError" },
    { code: "UserNotInApp" },
    { code: "user_not_found" },
    { code: ["UserNotFound"] },
    { errors: [{ code: "UserNotFound" }] },
  ].map((body) => [JSON.stringify(body), notFound(body)] as const),
] as const

/** Attempts with an unknown outcome. */
const unknownOutcomes = [
  ["a reset before the headers", Reply.reset],
  ["a reset within the body", Reply.resetWithin(Reply.json({ removed: true }))],
  ["a body that is cut short", Reply.shortBody(Reply.json({}))],
  ["no response", Reply.silent],
  ["500", Reply.empty(500)],
  ["502", Reply.empty(502)],
  ["503", Reply.empty(503)],
  ["504", Reply.text("<h1>Gateway Timeout</h1>", { status: 504 })],
] as const

const note =
  "The user has no access to the app. An earlier attempt failed, but may have removed the user. If the user had no access before, check the email address."

/** Removes a user over an HTTP stack. */
const removeOver =
  (layer: typeof anyLayer) =>
  (replies: ReadonlyArray<Reply.Reply>, options?: { readonly retry: RetryPolicy.RetryPolicy }) =>
    runCall(replies, (apps) => apps.removeUser(shop, ada), {
      timeout: replies.includes(Reply.silent) ? "4 seconds" : "30 seconds",
      ...options,
    }).pipe(Effect.provide(layer))

describe.each(layers)("over %s", (_, layer) => {
  const remove = removeOver(layer)

  it.live.each([
    ["204", Reply.empty(204)],
    ["200 with {}", Reply.json({})],
    ["200 with an empty body", Reply.empty(200)],
    ["200 with another body", Reply.json({ message: "removed" })],
  ] as const)("succeeds after a response %s", ([, reply]) =>
    Effect.gen(function* () {
      const { result, requests } = yield* remove([reply])
      expect(result).toEqual(Result.succeed(Removal.removed))
      expect(requests).toHaveLength(1)
    }),
  )

  it.live.each(unknownOutcomes)(
    "after %s, the next attempt decides: UserNotFound is RemovedEarlier, AppNotFound is an error, 204 is Removed",
    ([, reply]) =>
      Effect.gen(function* () {
        const [user, app, success, single] = yield* Effect.all(
          [
            remove([reply, noUser]),
            remove([reply, noApp]),
            remove([reply, Reply.empty(204)]),
            remove([reply, noUser], { retry: RetryPolicy.none }),
          ],
          { concurrency: "unbounded" },
        )
        expect(user.result).toMatchObject({ success: { _tag: "RemovedEarlier", note } })
        expect(app.result).toMatchObject({ failure: { _tag: "AppNotFound", app: shop, maybeApplied: true } })
        expect(success.result).toEqual(Result.succeed(Removal.removed))
        expect(single.result).toMatchObject({
          failure: { _tag: expect.stringMatching(/^(TransportError|TimeoutError|ServiceError)$/) },
        })
        expect([user, app, success, single].map(({ requests }) => requests.length)).toEqual([2, 2, 2, 1])
      }),
    { concurrent: true },
  )

  it.live("UserNotFound after a lost response and a 429 is RemovedEarlier", () =>
    Effect.gen(function* () {
      const { result, requests } = yield* remove([Reply.reset, Reply.empty(429), noUser])
      expect(result).toEqual(Result.succeed(Removal.removedEarlier))
      expect(requests).toHaveLength(3)
    }),
  )
})

describe("over any HTTP stack", () => {
  const remove = removeOver(anyLayer)

  it.live.each([
    ["201", Reply.json({}, { status: 201 }), "ServiceError"],
    ["202", Reply.empty(202), "ServiceError"],
    ["a page of HTML", Reply.text("<html>Sign in</html>"), "DecodeError"],
    ["200 with an error", Reply.json({ error: { code: 403, message: "No" } }), "DecodeError"],
    ["200 with an error, flat", Reply.json({ statusCode: 404, code: "NotFound", message: "No" }), "DecodeError"],
  ] as const)("fails after a response %s", ([, reply, tag]) =>
    Effect.gen(function* () {
      const { result } = yield* remove([reply])
      expect(result).toMatchObject({ failure: { _tag: tag, operation: "AppManagement.removeUser" } })
    }),
  )

  it.live.each(explicit)("a 404 with a %s body (%j) is %s", ([, body, tag]) =>
    Effect.gen(function* () {
      const { result, requests } = yield* remove([notFound(body)])
      expect(result).toMatchObject({
        failure: { _tag: tag, status: 404, operation: "AppManagement.removeUser", app: shop, maybeApplied: false },
      })
      expect(requests).toHaveLength(1)
    }),
  )

  it.live.each(vague)("a 404 with %s is AppOrUserNotFound, also after a 503", ([, reply]) =>
    Effect.gen(function* () {
      const left = { _tag: "AppOrUserNotFound", status: 404, app: shop }
      const once = yield* remove([reply])
      expect(once.result).toMatchObject({ failure: { ...left, maybeApplied: false } })
      expect(once.requests).toHaveLength(1)
      const twice = yield* remove([Reply.empty(503), reply])
      expect(twice.result).toMatchObject({ failure: { ...left, maybeApplied: true } })
      expect(twice.requests).toHaveLength(2)
    }),
  )

  it.live.each([
    [
      "200 with an error",
      Reply.json({ error: { code: 403 } }),
      "the response of the app-management service is invalid: the body contains an error. Check the URL.",
    ],
    [
      "202",
      Reply.empty(202),
      "the app-management service responded 202. Unexpected success status: check the effect of the request.",
    ],
  ] as const)("the message for a %s says what to check", ([, reply, message]) =>
    Effect.gen(function* () {
      const { result } = yield* remove([reply])
      expect(Result.flip(result).pipe(Result.getOrThrow).message).toBe(`AppManagement.removeUser: ${message}`)
    }),
  )

  it.live.each([408, 429])("UserNotFound after a %i, which the service did not process, stays UserNotFound", (status) =>
    Effect.gen(function* () {
      const { result, requests } = yield* remove([Reply.empty(status), noUser])
      expect(result).toMatchObject({ failure: { _tag: "UserNotFound", app: shop, maybeApplied: false } })
      expect(requests).toHaveLength(2)
    }),
  )

  it.live("the message of each 404 says what to check, without the token that the response contains", () =>
    Effect.gen(function* () {
      const messageOf = (replies: ReadonlyArray<Reply.Reply>) =>
        Effect.map(remove(replies), ({ result }) => Result.flip(result).pipe(Result.getOrThrow).message)
      const reply = (code: string) => notFound({ code, message: `Nothing for ${canary}.` })
      const prefix = (code: string) =>
        `AppManagement.removeUser: the app-management service responded 404 ${code}: Nothing for <redacted>.`
      expect(yield* messageOf([reply("AppNotFound")])).toBe(
        `${prefix("AppNotFound")} Check the app name, contoso/shop, and that the token has access to the app.`,
      )
      expect(yield* messageOf([reply("UserNotFound")])).toBe(
        `${prefix("UserNotFound")} Check the email address and the users of contoso/shop.`,
      )
      expect(yield* messageOf([reply("Not Found")])).toBe(
        `${prefix("Not Found")} Check the app name, contoso/shop, the email address and the base URL.`,
      )
      expect(yield* messageOf([Reply.empty(503), reply("Not Found")])).toBe(
        `${prefix("Not Found")} An earlier attempt may have removed the user. To find out, list the users of the app in the portal or with GET /v0.1/apps/contoso/shop/users.`,
      )
    }),
  )
})

describe("against the sandbox", () => {
  /** A sandbox that responds to the first request with 503. */
  const flaky = Effect.gen(function* () {
    const sandbox = yield* Sandbox.make()
    const isFirst = yield* Ref.make(true)
    yield* sandbox.refuse(() => Effect.map(Ref.getAndSet(isFirst, false), (first) => (first ? 503 : undefined)))
    return yield* connect(sandbox.baseUrl, { apiToken: sandbox.apiToken })
  })
  const fleet = AppName.make("fleet", "dispatch")

  it.live("an unknown user is RemovedEarlier after a 503, and otherwise UserNotFound", () =>
    Effect.gen(function* () {
      const apps = yield* flaky
      expect(yield* apps.removeUser(fleet, ada)).toEqual(Removal.removedEarlier)
      expect(yield* Effect.flip(apps.removeUser(fleet, ada))).toMatchObject({ _tag: "UserNotFound", app: fleet })
    }).pipe(Effect.provide(anyLayer)),
  )

  it.live("a mistyped app is AppNotFound, with or without a 503 before", () =>
    Effect.gen(function* () {
      const apps = yield* flaky
      const typo = AppName.make("fleet", "dispach")
      const remove = Effect.flip(apps.removeUser(typo, ada))
      expect(yield* remove).toMatchObject({ _tag: "AppNotFound", app: typo, maybeApplied: true })
      expect(yield* remove).toMatchObject({ _tag: "AppNotFound", app: typo, maybeApplied: false })
    }).pipe(Effect.provide(anyLayer)),
  )
})
