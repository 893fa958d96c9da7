/** How removing a user ends: what the answers mean, one by one and one after another. */
import { describe, expect, it } from "@effect/vitest"
import { type AppName, type Email, Removal, RetryPolicy } from "@vigil/appmgmt-client"
import { Reply } from "@vigil/sandbox"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { ada, ask, canary, layers, shop } from "./harness.js"

const gone = (body: unknown) => Reply.json(body, { status: 404 })

const noUser = gone({ statusCode: 404, code: "UserNotFound", message: "The user is not a member of the app." })
const noApp = gone({ statusCode: 404, code: "AppNotFound", message: "There is no such app." })
const nothing = gone({ statusCode: 404, code: "NotFound", message: "Not found. Correlation ID: 5b0c5d0e" })

/** Every form of an error of the field notes, and what it says is missing. */
const forms = [
  ["flat", { message: "User not found", statusCode: 404, code: "NotFound" }, "UserNotFound"],
  ["flat", { message: "App not found", statusCode: 404, code: "NotFound" }, "AppNotFound"],
  ["flat, without words for either", { message: "Not found", statusCode: 404, code: "NotFound" }, "NotFound"],
  ["nested", { error: { code: "UserNotFound", message: "Gone" } }, "UserNotFound"],
  ["nested", { error: { code: "AppNotFound", message: "Gone" } }, "AppNotFound"],
  ["nested, without words for either", { error: { code: "NotFound", message: "Gone" } }, "NotFound"],
  ["nested, its code a number", { error: { code: 404, message: "The user does not exist." } }, "UserNotFound"],
  ["nested, its code a number", { error: { code: 404, message: "The application does not exist." } }, "AppNotFound"],
  ["nested, its code a number, without words", { error: { code: 404, message: "Gone" } }, "NotFound"],
  ["a message alone", { message: "No such member of the app" }, "UserNotFound"],
  ["a message alone", { message: "No such app" }, "AppNotFound"],
  ["a message alone", { message: "No such thing" }, "NotFound"],
  ["with an id", { id: "1", code: "user_not_found", message: "Gone" }, "UserNotFound"],
  ["with an id", { id: "1", code: "app_not_found", message: "Gone" }, "AppNotFound"],
  ["with an id, of an app", { id: "app", code: "not_found", message: "Gone" }, "NotFound"],
  ["its code with a space", { code: "Not Found", message: "No user has this address" }, "UserNotFound"],
  ["its code with a space", { code: "Not Found", message: "No app has this name" }, "AppNotFound"],
  ["its code with a space", { code: "Not Found" }, "NotFound"],
  ["nothing of the kind", [], "NotFound"],
] as const

/** Words that services may use, in codes and in messages. */
const words = [
  [{ code: "UserNotInApp" }, "UserNotFound"],
  [{ code: "APP_NOT_FOUND" }, "AppNotFound"],
  [{ code: "Apps.NotFound" }, "AppNotFound"],
  [{ code: "MemberNotFound" }, "UserNotFound"],
  [{ message: "No collaborator of this app" }, "UserNotFound"],
  [{ message: "No such e-mail address" }, "UserNotFound"],
  [{ message: "no email like this" }, "UserNotFound"],
  [{ message: "UNKNOWN APPLICATION" }, "AppNotFound"],
  [{ message: "Organization not found" }, "AppNotFound"],
  [{ message: "The owner is unknown" }, "AppNotFound"],
  [{ message: "There is no org of this name" }, "AppNotFound"],
  [{ message: "It has happened, and disappeared" }, "NotFound"],
  [{ code: "AppNotFound", message: "No user may see it" }, "AppNotFound"],
  [{ code: "UserNotFound", message: "Not in this app" }, "UserNotFound"],
] as const

/** Answers that are lost, and may have been preceded by the removal. */
const lost = [
  ["a reset before the headers", Reply.reset],
  ["a reset within the body", Reply.resetWithin(Reply.json({ removed: true }))],
  ["a body that is cut short", Reply.shortBody(Reply.json({}))],
  ["silence", Reply.silent],
  ["502", Reply.empty(502)],
  ["503", Reply.empty(503)],
  ["504", Reply.text("<h1>Gateway Timeout</h1>", { status: 504 })],
] as const

const note =
  "An earlier attempt may have been carried out, its outcome is not known; asked again, the service knows no such user: the user has no access now. If that is unexpected, check the address."

describe.each(layers)("over %s", (_, layer) => {
  const remove = (
    replies: ReadonlyArray<Reply.Reply>,
    {
      app = shop,
      email = ada,
      ...options
    }: { app?: AppName.AppName; email?: Email.Email; retry?: RetryPolicy.RetryPolicy } = {},
  ) =>
    ask(replies, (apps) => apps.removeUser(app, email), {
      timeout: replies.includes(Reply.silent) ? "250 millis" : "30 seconds",
      ...options,
    }).pipe(Effect.provide(layer))

  it.scopedLive.each([
    ["204", Reply.empty(204)],
    ["200 with {}", Reply.json({})],
    ["200 with nothing", Reply.empty(200)],
    ["200 with anything", Reply.json({ message: "removed" })],
  ] as const)("a removal that is answered with %s is one", ([, reply]) =>
    Effect.gen(function* () {
      const { answer, requests } = yield* remove([reply])
      expect(answer).toEqual(Either.right(Removal.removed))
      expect(requests).toHaveLength(1)
    }),
  )

  it.scopedLive.each([
    ["201", Reply.json({}, { status: 201 }), "ServiceError"],
    ["202", Reply.empty(202), "ServiceError"],
    ["a page of HTML", Reply.text("<html>Sign in</html>"), "DecodeError"],
    ["200 with an error", Reply.json({ error: { code: 403, message: "No" } }), "DecodeError"],
    ["200 with an error, flat", Reply.json({ statusCode: 404, code: "NotFound", message: "No" }), "DecodeError"],
  ] as const)("a removal that is answered with %s is none", ([, reply, tag]) =>
    Effect.gen(function* () {
      const { answer } = yield* remove([reply])
      expect(answer).toMatchObject({ left: { _tag: tag, operation: "AppManagement.removeUser" } })
    }),
  )

  it.scopedLive.each(forms)("a 404 that is %s (%j) is %s", ([, body, tag]) =>
    Effect.gen(function* () {
      const { answer, requests } = yield* remove([gone(body)])
      expect(answer).toMatchObject({ left: { _tag: tag, status: 404, operation: "AppManagement.removeUser" } })
      if (tag !== "NotFound") expect(answer).toMatchObject({ left: { app: shop } })
      expect(requests).toHaveLength(1)
    }),
  )

  it.scopedLive.each(words)("a 404 that says %j is %s", ([body, tag]) =>
    Effect.gen(function* () {
      expect((yield* remove([gone(body)])).answer).toMatchObject({ left: { _tag: tag } })
    }),
  )

  it.scopedLive("a 200 that holds an error says so", () =>
    Effect.gen(function* () {
      const { answer } = yield* remove([Reply.json({ error: { code: 403 } })])
      expect(Either.flip(answer).pipe(Either.getOrThrow).message).toBe(
        "AppManagement.removeUser: the answer is not what the contract says: it holds an error. Check that the base address is the service's.",
      )
    }),
  )

  it.scopedLive("a 202 says that its outcome is open", () =>
    Effect.gen(function* () {
      const { answer } = yield* remove([Reply.empty(202)])
      expect(Either.flip(answer).pipe(Either.getOrThrow).message).toBe(
        "AppManagement.removeUser: the service answered 202. No such success was expected: check what came of the request.",
      )
    }),
  )

  it.scopedLive.each(lost)("a 404 after %s may be a removal by the first attempt", ([, reply]) =>
    Effect.gen(function* () {
      for (const after of [noUser, nothing]) {
        const { answer, requests } = yield* remove([reply, after])
        expect(answer).toEqual(Either.right(Removal.removedEarlier))
        expect(answer).toMatchObject({ right: { _tag: "RemovedEarlier", note } })
        expect(requests).toHaveLength(2)
      }
    }),
  )

  it.scopedLive.each(lost)("a 404 of the app after %s is AppNotFound: nothing was there to remove from", ([, reply]) =>
    Effect.gen(function* () {
      const { answer, requests } = yield* remove([reply, noApp])
      expect(answer).toMatchObject({ left: { _tag: "AppNotFound", app: shop, repeated: true } })
      expect(requests).toHaveLength(2)
    }),
  )

  it.scopedLive.each(lost)("a 204 after %s is a removal", ([, reply]) =>
    Effect.gen(function* () {
      const { answer, requests } = yield* remove([reply, Reply.empty(204)])
      expect(answer).toEqual(Either.right(Removal.removed))
      expect(requests).toHaveLength(2)
    }),
  )

  it.scopedLive.each(lost)("without retries, %s is an error", ([, reply]) =>
    Effect.gen(function* () {
      const { answer, requests } = yield* remove([reply, noUser], { retry: RetryPolicy.none })
      expect(answer).toMatchObject({
        left: { _tag: expect.stringMatching(/^(TransportError|TimeoutError|ServiceError)$/) },
      })
      expect(requests).toHaveLength(1)
    }),
  )

  it.scopedLive("a 404 after a 429, which removed nobody, is UserNotFound", () =>
    Effect.gen(function* () {
      const { answer, requests } = yield* remove([Reply.empty(429), noUser])
      expect(answer).toMatchObject({ left: { _tag: "UserNotFound", app: shop, repeated: false } })
      expect(requests).toHaveLength(2)
    }),
  )

  it.scopedLive("a 404 after a lost answer and a 429 may be a removal by the first attempt", () =>
    Effect.gen(function* () {
      const { answer, requests } = yield* remove([Reply.reset, Reply.empty(429), noUser])
      expect(answer).toEqual(Either.right(Removal.removedEarlier))
      expect(requests).toHaveLength(3)
    }),
  )

  it.scopedLive("what was not found is said, with what to do, and without the token that the service repeats", () =>
    Effect.gen(function* () {
      const messages = yield* Effect.forEach(["app", "user", "thing"], (what) =>
        Effect.map(
          remove([gone({ code: "Not Found", message: `No ${what} for ${canary}.` })]),
          ({ answer }) => Either.flip(answer).pipe(Either.getOrThrow).message,
        ),
      )
      const begins = "AppManagement.removeUser: the service answered 404 Not Found: No"
      expect(messages).toEqual([
        `${begins} app for <redacted>. Check the name of the app, contoso/shop, and that the token is for it.`,
        `${begins} user for <redacted>. Check the e-mail address, and who has access to contoso/shop.`,
        `${begins} thing for <redacted>. Check the id and the base address.`,
      ])
    }),
  )
})
