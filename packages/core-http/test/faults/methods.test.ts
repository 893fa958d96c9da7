/** Faults that depend on the request: changes, odd URLs, credentials and origins. */
import { describe, expect, it } from "@effect/vitest"
import { Credential, Decoder, Request, ServiceClient } from "@vigil/core-http"
import { Faults, Reply } from "@vigil/sandbox"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Fiber from "effect/Fiber"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { layers, oneLayer } from "@vigil/testing/HttpStack"
import { canary, drain, fastRetry, list, rotatingCredential } from "./harness.js"

const decode = Decoder.fromSchema(Schema.Struct({ ok: Schema.Boolean }))
const okReply = Reply.json({ ok: true })

const client = (baseUrl: string, options: Partial<ServiceClient.Options> = {}) =>
  ServiceClient.make({
    service: "thing",
    baseUrl,
    credential: Credential.bearer(Redacted.make(canary)),
    ...fastRetry,
    ...options,
  })

const remove = (url: string): Request.Request<void> => ({
  operation: "Thing.remove",
  method: "DELETE",
  url,
  success: [200, 204],
  decode: Decoder.ignore,
})

const change = (url: string): Request.Request<{ readonly ok: boolean }> => ({
  operation: "Thing.change",
  method: "POST",
  url,
  body: {},
  decode,
})

describe.each(layers)("over %s", (_, layer) => {
  /** The result of a request, and the requests that the server received. */
  const send = <A>(script: Reply.Script, request: (url: string) => Request.Request<A>) =>
    Effect.gen(function* () {
      const server = yield* Faults.serve(script)
      const service = yield* client(server.origin)
      const result = yield* Effect.result(service.request(request(service.url("/thing"))))
      return { result, requests: yield* server.requests }
    }).pipe(Effect.provide(layer))

  it.live("reads no more than the declared length of a body", () =>
    Effect.gen(function* () {
      const longer = Reply.shortBody(Reply.text(`{"ok":true} and more`), -" and more".length)
      expect((yield* send([longer], change)).result).toEqual(Result.succeed({ ok: true }))
    }),
  )

  it.live("a POST without a body has a Content-Length of 0 and no Content-Type", () =>
    Effect.gen(function* () {
      const withoutBody = (url: string): Request.Request<unknown> => ({
        operation: "Thing.change",
        method: "POST",
        url,
        body: Request.noBody,
        decode,
      })
      const { requests } = yield* send([okReply], withoutBody)
      expect(requests).toMatchObject([{ method: "POST", body: "", headers: { "content-length": "0" } }])
      expect(requests[0]?.headers).not.toHaveProperty("content-type")
    }),
  )

  it.live.each([
    ["204 without a body", Reply.empty(204)],
    ["205 with a body", Reply.text("<html>", { status: 205 })],
    ["200 with an empty body", Reply.empty(200)],
  ] as const)("a DELETE succeeds after a response %s", ([, reply]) =>
    Effect.gen(function* () {
      const { result, requests } = yield* send([reply], (url) => ({ ...remove(url), success: [200, 204, 205] }))
      expect(result).toEqual(Result.void)
      expect(requests).toMatchObject([{ method: "DELETE", body: "" }])
    }),
  )

  it.live.each([
    ["a reset before the headers", Reply.reset],
    ["a reset within the body", Reply.resetWithin(okReply)],
    ["a body that is cut short", Reply.shortBody(okReply)],
    ["503", Reply.empty(503)],
  ] as const)("a DELETE and a POST are not retried after %s, and may have been applied", ([, reply]) =>
    Effect.gen(function* () {
      for (const request of [remove, change]) {
        const { result, requests } = yield* send<unknown>([reply, Reply.empty(204)], request)
        expect(result).toMatchObject({ failure: { maybeApplied: true } })
        expect(requests).toHaveLength(1)
      }
    }),
  )

  it.live.each([301, 302, 303, 307, 308] as const)("a POST does not follow a %i redirect", (status) =>
    Effect.gen(function* () {
      const { result, requests } = yield* send([Reply.redirect(status, "/moved"), okReply], change)
      expect(result).toMatchObject({
        // A 303 leads to the result.
        failure: { maybeApplied: status === 303, reason: { _tag: "Redirect", problem: "method" } },
      })
      expect(requests).toHaveLength(1)
    }),
  )

  it.live("an unexpected success may be applied", () =>
    Effect.gen(function* () {
      const { result } = yield* send([Reply.empty(202)], (url) => ({ ...change(url), success: [200] }))
      expect(result).toMatchObject({ failure: { maybeApplied: true, reason: { _tag: "ServiceFailure", status: 202 } } })
    }),
  )

  it.live("an unknown host fails, and nothing was applied", () =>
    Effect.gen(function* () {
      const service = yield* client("https://vigil.invalid")
      const error = yield* Effect.flip(service.request(remove(service.url("/"))))
      expect(error).toMatchObject({
        maybeApplied: false,
        reason: { _tag: "Transport", code: expect.stringMatching(/ENOTFOUND|EAI_AGAIN/) },
      })
    }).pipe(Effect.provide(layer)),
  )

  it.live.each<[string, string?]>([
    ["/s/a%2Fb?$filter=a%2Bb%20c+d&e=%e2%82%ac?$skipToken=a$b%3D"],
    ["/s?api-version=2025-04-01&x=1#part", "/s?api-version=2025-04-01&x=1"],
    ["/s?$filter=name eq 'Zürich'", "/s?$filter=name%20eq%20%27Z%C3%BCrich%27"],
    ["/s?a=[1]|{2}^`\\"],
    ["/a;b=c,d/(e)!*~@:/f"],
  ])("the link %s is requested unchanged, or as %s", ([link, target = link]) =>
    Effect.gen(function* () {
      const server = yield* Faults.serve([Reply.page([], link), Reply.page([])])
      const service = yield* client(server.origin)
      yield* drain(list(service, service.url("/first")))
      expect((yield* server.requests).map((request) => request.target)).toEqual(["/first", target])
    }).pipe(Effect.provide(layer)),
  )
})

describe("over any HTTP stack", () => {
  it.live("links and redirects to a trusted origin are followed, with the credential", () =>
    Effect.gen(function* () {
      const gateway = yield* Faults.serve([Reply.page([{ name: "B" }])])
      const server = yield* Faults.serve([
        Reply.redirect(302, `${gateway.origin}/moved`),
        Reply.page([], `${gateway.origin}/page`),
      ])
      const service = yield* client(server.origin, { trustedOrigins: [gateway.origin] })
      const read = drain(list(service, service.url("/list")))
      expect(yield* read).toMatchObject({ delivered: ["B"] })
      expect(yield* read).toMatchObject({ delivered: ["B"] })
      expect((yield* gateway.requests).map(({ headers, target }) => [target, headers["authorization"]])).toEqual([
        ["/moved", `Bearer ${canary}`],
        ["/page", `Bearer ${canary}`],
      ])
    }).pipe(Effect.provide(oneLayer)),
  )

  it.live("two requests with an expired token fetch a new one once", () =>
    Effect.gen(function* () {
      const both = yield* Deferred.make<void>()
      const server = yield* Faults.serve((request) =>
        request.headers["authorization"] === `Bearer ${canary}-1`
          ? Reply.delayUntil(Deferred.await(both), Reply.empty(401))
          : okReply,
      )
      const { credential, state } = rotatingCredential()
      const service = yield* client(server.origin, { credential })
      const get = service.get({ operation: "Thing.get", url: service.url("/"), decode })
      const fiber = yield* Effect.forkChild(Effect.all([get, get], { concurrency: 2 }))
      yield* server.awaitRequests(2)
      yield* Deferred.succeed(both, undefined)
      expect(yield* Fiber.join(fiber)).toEqual([{ ok: true }, { ok: true }])
      expect(state.fetches).toBe(2)
      expect(yield* server.requests).toHaveLength(4)
    }).pipe(Effect.provide(oneLayer)),
  )
})
