/** The outcomes of removing a user, by response and by sequence of responses. */
import { describe, expect, it } from "@effect/vitest"
import { AppManagementError, Email, Removal } from "@vigil/appmgmt-client"
import { Faults, Reply } from "@vigil/sandbox"
import { oneLayer } from "@vigil/testing/HttpStack"
import * as Recorder from "@vigil/testing/Recorder"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { ada, connect, runCall, shop } from "./harness.js"

const notFound = (body: unknown) => Reply.json(body, { status: 404 })
const noUser = notFound({ statusCode: 404, code: "UserNotFound", message: "The user is not a member of the app." })
const noApp = notFound({ error: { code: "AppNotFound", message: "The app does not exist." } })

const Json = Schema.toCodecJson(AppManagementError.RemoveUserError)

const remove = (replies: ReadonlyArray<Reply.Reply>) =>
  runCall(replies, (apps) => apps.removeUser(shop, ada), {
    timeout: replies.includes(Reply.silent) ? "3 seconds" : "30 seconds",
  })

/** The tests of core-http have these faults over each HTTP stack. */
describe("after a lost response", () => {
  it.live.each([
    ["a reset before the headers", Reply.reset],
    ["a reset within the body", Reply.resetWithin(Reply.json({ removed: true }))],
    ["a body that is cut short", Reply.shortBody()(Reply.json({}))],
    ["no response", Reply.silent],
    ["500", Reply.empty(500)],
    ["504", Reply.text("<h1>Gateway Timeout</h1>", { status: 504 })],
  ] as const)(
    "after %s, the next attempt decides: UserNotFound is AlreadyRemoved, AppNotFound is an error, 204 is Removed",
    ([, reply]) =>
      Effect.gen(function* () {
        const calls = [remove([reply, noUser]), remove([reply, noApp]), remove([reply, Reply.empty(204)])] as const
        const [user, app, success] = yield* Effect.all(calls, { concurrency: "unbounded" })
        expect(user.result).toEqual(Result.succeed(Removal.alreadyRemoved))
        expect(app.result).toMatchObject({ failure: { reason: { _tag: "AppNotFound" }, app: shop } })
        expect(success.result).toEqual(Result.succeed(Removal.removed))
        // On a slow machine, the second attempt may time out too.
        if (reply !== Reply.silent)
          expect([user, app, success].map(({ requests }) => requests.length)).toEqual([2, 2, 2])
      }).pipe(Effect.provide(oneLayer)),
    { concurrent: true },
  )
})

const prefix = "AppManagement.removeUser: the app-management service"

describe("removeUser", () => {
  it.live.each([
    ["204", [Reply.empty(204)], { success: Removal.removed }],
    ["200 without a body", [Reply.empty(200)], { success: Removal.removed }],
    ["200 with another body", [Reply.json({ message: "removed" })], { success: Removal.removed }],
    ["201", [Reply.json({}, { status: 201 })], { failure: { reason: { _tag: "ServiceFailure" } } }],
    ["a page of HTML", [Reply.text("<html>Sign in</html>")], { failure: { reason: { _tag: "Decode" } } }],
    ["200 with an error", [Reply.json({ error: { code: 403 } })], { failure: { reason: { _tag: "Decode" } } }],
    ["UserNotFound", [noUser], { failure: { reason: { _tag: "UserNotFound" } } }],
    ["AppNotFound", [noApp], { failure: { reason: { _tag: "AppNotFound" } } }],
    // The service did not process these requests.
    ["408, then UserNotFound", [Reply.empty(408), noUser], { failure: { reason: { _tag: "UserNotFound" } } }],
    ["429, then UserNotFound", [Reply.empty(429), noUser], { failure: { reason: { _tag: "UserNotFound" } } }],
  ] as const)(
    "has one outcome after a response %s",
    ([, replies, outcome]) =>
      Effect.gen(function* () {
        const { result, requests } = yield* remove(replies)
        expect([result, requests.length]).toMatchObject([outcome, replies.length])
      }).pipe(Effect.provide(oneLayer)),
    { concurrent: true },
  )

  it.live.each([
    Reply.text("The requested page was not found", { status: 404 }),
    Reply.empty(404),
    notFound({ error: { code: 404, message: "The user does not exist." } }),
    notFound({ statusCode: 404, code: "Not Found", message: "UserNotFound" }),
    notFound({ code: "USERNOTFOUND" }),
    notFound({ code: ["UserNotFound"] }),
  ])(
    "is NotFound after any other 404, also after a 503: %#",
    (reply) =>
      Effect.gen(function* () {
        const failure = { reason: { _tag: "NotFound" }, app: shop }
        expect((yield* remove([reply])).result).toMatchObject({ failure: { ...failure, maybeApplied: false } })
        const second = yield* remove([Reply.empty(503), reply])
        expect(second.result).toMatchObject({ failure: { ...failure, maybeApplied: true } })
      }).pipe(Effect.provide(oneLayer)),
    { concurrent: true },
  )

  it.live("says how to find out if a failed request may have removed the user", () =>
    Effect.gen(function* () {
      const toCheck =
        "The user may have been removed. To find out, list the users of the app in the portal or with GET /v0.1/apps/contoso/shop/users."
      const busy = Reply.json({ error: { code: "Busy", message: "Wait." } })
      for (const [reply, message] of [
        [Reply.empty(501), `responded 501. Try again later. ${toCheck}`],
        [busy, `sent a success status with the error Busy: Wait. Try again later. ${toCheck}`],
        [Reply.empty(403), "responded 403. Ask for the permission, or use a token that has it."],
      ] as const) {
        const failure = { _tag: "RemoveUserError", message: `${prefix} ${message}` }
        expect((yield* remove([reply])).result).toMatchObject({ failure })
      }
    }).pipe(Effect.provide(oneLayer)),
  )

  it.live("fails for each 404 with a message that says what to check, in an error that JSON can carry", () =>
    Effect.gen(function* () {
      const reply = (code: string) => notFound({ code, message: "Nothing." })
      const errors = yield* Effect.forEach(
        [[reply("AppNotFound")], [reply("UserNotFound")], [reply("None")], [Reply.empty(503), reply("None")]],
        (replies) => Effect.map(remove(replies), ({ result }) => Result.getOrThrow(Result.flip(result))),
      )
      expect(errors.map(({ message }) => message)).toEqual([
        `${prefix} responded 404 AppNotFound: Nothing. Check the app name and the access of the token.`,
        `${prefix} responded 404 UserNotFound: Nothing. Check the email address.`,
        `${prefix} responded 404 None: Nothing. Check the app name, the email address and the base URL.`,
        `${prefix} responded 404 None: Nothing. Check the app name, the email address and the base URL. The user may have been removed. To find out, list the users of the app in the portal or with GET /v0.1/apps/contoso/shop/users.`,
      ])
      for (const error of errors)
        expect(yield* Schema.decodeEffect(Json)(yield* Schema.encodeEffect(Json)(error))).toEqual(error)
    }).pipe(Effect.provide(oneLayer)),
  )
})

/** A response that repeats the path of the request, as received and decoded. */
const echo = (status: number, code: string) => (request: Reply.Request) => {
  const message = `No: ${request.target}, ${decodeURIComponent(request.target)}`
  return Reply.json({ code, message }, { status, headers: { location: request.target } })
}

it.live.each(["a@b.co", "o'neill+x/é@contoso.example"])(
  "the email address %s is in no span, log and error, and the app is",
  (text) =>
    Effect.gen(function* () {
      const email = Email.make(text)
      const forms = [text, encodeURIComponent(text), encodeURI(text)]
      for (const script of [
        ...[400, 401, 403, 307, 429, 500].map((status) => echo(status, "Failed")),
        ...["AppNotFound", "UserNotFound", text].map((code) => echo(404, code)),
        ...[Reply.reset, Reply.json({ code: text }), Reply.empty(204)].map((reply) => [reply]),
      ]) {
        const server = yield* Faults.serve(script)
        const call = Effect.result(Effect.flatMap(connect(server.origin), (apps) => apps.removeUser(shop, email)))
        const { result, spans, text: recorded } = yield* Recorder.record(call)
        const printed = recorded + Recorder.printed(Result.merge(result))
        for (const form of forms) expect(printed).not.toContain(form)
        expect(spans.at(-1)).toMatchObject({ name: "AppManagement.removeUser", attributes: { app: "contoso/shop" } })
        const url = `${server.origin}/v0.1/apps/contoso/shop/users/<redacted>`
        expect(spans[0]).toMatchObject({ name: "DELETE", attributes: { "url.full": url } })
      }
    }).pipe(Effect.provide(oneLayer)),
)
