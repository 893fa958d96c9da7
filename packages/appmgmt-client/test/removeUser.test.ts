/** The outcomes of removing a user, by response and by sequence of responses. */
import { describe, expect, it } from "@effect/vitest"
import { AppName, Email, Removal, Retry } from "@vigil/appmgmt-client"
import { Faults, Reply, Sandbox } from "@vigil/sandbox"
import { layers, oneLayer } from "@vigil/testing/HttpStack"
import * as Recorder from "@vigil/testing/Recorder"
import * as Effect from "effect/Effect"
import * as Ref from "effect/Ref"
import * as Result from "effect/Result"
import { ada, canary, connect, runCall, shop } from "./harness.js"

const notFound = (body: unknown) => Reply.json(body, { status: 404 })
const noUser = notFound({ statusCode: 404, code: "UserNotFound", message: "The user is not a member of the app." })
const noApp = notFound({ error: { code: "AppNotFound", message: "The app does not exist." } })

const remove = (replies: ReadonlyArray<Reply.Reply>, retry?: Retry.Retry) =>
  runCall(replies, (apps) => apps.removeUser(shop, ada), {
    timeout: replies.includes(Reply.silent) ? "2 seconds" : "30 seconds",
    ...(retry && { retry }),
  })

describe.each(layers)("over %s", (_, layer) => {
  it.live.each([
    ["a reset before the headers", Reply.reset],
    ["a reset within the body", Reply.resetWithin(Reply.json({ removed: true }))],
    ["a body that is cut short", Reply.shortBody(Reply.json({}))],
    ["no response", Reply.silent],
    ["500", Reply.empty(500)],
    ["504", Reply.text("<h1>Gateway Timeout</h1>", { status: 504 })],
  ] as const)(
    "after %s, the next attempt decides: UserNotFound is RemovedEarlier, AppNotFound is an error, 204 is Removed",
    ([, reply]) =>
      Effect.gen(function* () {
        const [user, app, success, single] = yield* Effect.all(
          [
            remove([reply, noUser]),
            remove([reply, noApp]),
            remove([reply, Reply.empty(204)]),
            remove([reply], Retry.none),
          ],
          { concurrency: "unbounded" },
        )
        expect(user.result).toEqual(Result.succeed(Removal.removedEarlier))
        expect(app.result).toMatchObject({ failure: { _tag: "AppNotFound", app: shop } })
        expect(success.result).toEqual(Result.succeed(Removal.removed))
        expect(single.result).toMatchObject({ failure: { _tag: "RequestError", maybeApplied: true } })
        expect([user, app, success, single].map(({ requests }) => requests.length)).toEqual([2, 2, 2, 1])
      }).pipe(Effect.provide(layer)),
    { concurrent: true },
  )
})

describe("removeUser", () => {
  it.live.each([
    ["204", Reply.empty(204)],
    ["200 with {}", Reply.json({})],
    ["200 with an empty body", Reply.empty(200)],
    ["200 with another body", Reply.json({ message: "removed" })],
  ] as const)("succeeds after a response %s", ([, reply]) =>
    Effect.gen(function* () {
      const { result, requests } = yield* remove([reply])
      expect([result, requests.length]).toEqual([Result.succeed(Removal.removed), 1])
    }).pipe(Effect.provide(oneLayer)),
  )

  it.live.each([
    ["201", Reply.json({}, { status: 201 }), "ServiceFailure"],
    ["a page of HTML", Reply.text("<html>Sign in</html>"), "Decode"],
    ["200 with an error", Reply.json({ error: { code: 403, message: "No" } }), "Decode"],
    ["403", Reply.empty(403), "Forbidden"],
    ["a redirect", Reply.redirect(307, "/"), "Redirect"],
  ] as const)("fails after %s, with the reason", ([, reply, reason]) =>
    Effect.gen(function* () {
      const failure = { _tag: "RequestError", operation: "AppManagement.removeUser", reason: { _tag: reason } }
      expect((yield* remove([reply])).result).toMatchObject({ failure })
    }).pipe(Effect.provide(oneLayer)),
  )

  it.live.each([
    ["text", Reply.text("The requested page was not found", { status: 404 })],
    ["an empty body", Reply.empty(404)],
    ...[
      { code: "NotFound" },
      { error: { code: 404, message: "The user does not exist." } },
      { statusCode: 404, code: "Not Found", message: "UserNotFound" },
      { code: "usernotfound" },
      { code: "UserNotFound " },
      { code: ["UserNotFound"] },
    ].map((body) => [JSON.stringify(body), notFound(body)] as const),
  ] as const)("is AppOrUserNotFound after a 404 with %s, also after a 503", ([, reply]) =>
    Effect.gen(function* () {
      const failure = { _tag: "AppOrUserNotFound", reason: { status: 404 }, app: shop }
      expect((yield* remove([reply])).result).toMatchObject({ failure: { ...failure, maybeApplied: false } })
      const afterFailure = yield* remove([Reply.empty(503), reply])
      expect(afterFailure.result).toMatchObject({ failure: { ...failure, maybeApplied: true } })
    }).pipe(Effect.provide(oneLayer)),
  )

  it.live.each([408, 429])("UserNotFound after a %i, which the service did not process, stays UserNotFound", (status) =>
    Effect.gen(function* () {
      const { result, requests } = yield* remove([Reply.empty(status), noUser])
      expect(result).toMatchObject({ failure: { _tag: "UserNotFound", app: shop } })
      expect(requests).toHaveLength(2)
    }).pipe(Effect.provide(oneLayer)),
  )

  it.live("has a message for each 404 that says what to check, without the token", () =>
    Effect.gen(function* () {
      const reply = (code: string) => notFound({ code, message: `Nothing for ${canary}.` })
      const messages = yield* Effect.forEach(
        [[reply("AppNotFound")], [reply("UserNotFound")], [reply("None")], [Reply.empty(503), reply("None")]],
        (replies) => Effect.map(remove(replies), ({ result }) => Result.getOrThrow(Result.flip(result)).message),
      )
      const prefix = "AppManagement.removeUser: the app-management service responded 404"
      expect(messages).toEqual([
        `${prefix} AppNotFound: Nothing for <redacted>. Check the app name, contoso/shop, and that the token has access to the app.`,
        `${prefix} UserNotFound: Nothing for <redacted>. Check the email address and the users of contoso/shop.`,
        `${prefix} None: Nothing for <redacted>. Check the app name, contoso/shop, the email address and the base URL.`,
        `${prefix} None: Nothing for <redacted>. An earlier attempt may have removed the user. To find out, list the users of the app in the portal or with GET /v0.1/apps/contoso/shop/users.`,
      ])
    }).pipe(Effect.provide(oneLayer)),
  )

  it.live("depends on the attempts before, against the sandbox", () =>
    Effect.gen(function* () {
      const sandbox = yield* Sandbox.make()
      const isFirst = yield* Ref.make(true)
      yield* sandbox.refuse(() => Effect.map(Ref.getAndSet(isFirst, false), (first) => (first ? 503 : undefined)))
      const apps = yield* connect(sandbox.baseUrl, { apiToken: sandbox.apiToken })
      const dispatch = AppName.make("fleet", "dispatch")
      expect(yield* apps.removeUser(dispatch, ada)).toEqual(Removal.removedEarlier)
      const again = yield* Effect.flip(apps.removeUser(dispatch, ada))
      expect(again).toMatchObject({ _tag: "UserNotFound", app: dispatch })
      const typo = AppName.make("fleet", "dispach")
      expect(yield* Effect.flip(apps.removeUser(typo, ada))).toMatchObject({ _tag: "AppNotFound", app: typo })
    }).pipe(Effect.provide(oneLayer)),
  )
})

/** Responses that repeat the request's path and the email address, decoded. */
const echo =
  (status: number, code: string): Reply.Script =>
  ({ target }) =>
    Reply.json(
      { code, message: `No: ${target}, ${decodeURIComponent(target)}` },
      { status, headers: { location: target } },
    )

describe("an email address", () => {
  it.live.each(["a@b.co", "o'neill+x/é@contoso.example"])("%s is in no span, log and error, and the app is", (text) =>
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
})
