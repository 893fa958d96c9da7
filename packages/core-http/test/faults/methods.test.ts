/** Faults that depend on the request: changes, odd URLs and trusted origins. */
import { HttpClient, HttpClientRequest } from "effect/http"
import { describe, expect, it } from "@effect/vitest"
import { Credential, type Request, ServiceClient } from "@vigil/core-http"
import { Faults, Reply } from "@vigil/sandbox"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import { layers, oneLayer } from "@vigil/testing/HttpStack"
import { canary, drain, fastRetry, list } from "./harness.js"

const okReply = Reply.json({ ok: true })

const client = (baseUrl: string, options: Partial<ServiceClient.Options> = {}) =>
  ServiceClient.make({
    service: "thing",
    baseUrl,
    credential: Credential.bearer(Redacted.make(canary)),
    ...fastRetry,
    ...options,
  })

const remove = HttpClientRequest.delete("/thing")
const change = HttpClientRequest.bodyJsonUnsafe(HttpClientRequest.post("/thing"), {})
const options: Request.Send<unknown> = { operation: "Thing.do", decode: Effect.succeed }

describe.each(layers)("over %s", (_, layer) => {
  /** The result of a request, and the requests that the server received. */
  const send = (
    script: Reply.Script,
    request: HttpClientRequest.HttpClientRequest,
    own: Omit<Request.Options, "operation"> = {},
    settings?: Partial<ServiceClient.Options>,
  ) =>
    Effect.gen(function* () {
      const server = yield* Faults.serve(script)
      const service = yield* client(server.origin, settings)
      const result = yield* Effect.result(service.send(request, { ...options, ...own }))
      return { result, requests: yield* server.requests }
    }).pipe(Effect.provide(layer))

  it.live("reads no more than the declared length of a body", () =>
    Effect.gen(function* () {
      const longer = Reply.shortBody(-" and more".length)(Reply.text(`{"ok":true} and more`))
      expect((yield* send([longer], change)).result).toEqual(Result.succeed({ ok: true }))
    }),
  )

  it.live("a POST without a body has a Content-Length of 0 and no Content-Type", () =>
    Effect.gen(function* () {
      const { requests } = yield* send([okReply], HttpClientRequest.post("/thing"))
      expect(requests).toMatchObject([{ method: "POST", body: "", headers: { "content-length": "0" } }])
      expect(requests[0]?.headers).not.toHaveProperty("content-type")
    }),
  )

  it.live("an invalid header fails without a retry, and nothing is sent", () =>
    Effect.gen(function* () {
      const reason = { _tag: "Transport", code: "ERR_INVALID_CHAR" }
      const failure = { reason, isRetryable: false, maybeApplied: false }
      const transformClient = HttpClient.mapRequest(HttpClientRequest.setHeader("x-note", "a\nb"))
      for (const call of [
        send([okReply], HttpClientRequest.setHeader(change, "x-note", "ünï → 1"), { idempotent: true }),
        send([okReply], change, {}, { transformClient }),
      ])
        expect(yield* call).toMatchObject({ result: { failure }, requests: [] })
    }),
  )

  it.live.each([
    ["204 without a body", Reply.empty(204)],
    ["205 with a body", Reply.text("<html>", { status: 205 })],
    ["200 with an empty body", Reply.empty(200)],
  ] as const)("a DELETE succeeds after a response %s", ([, reply]) =>
    Effect.gen(function* () {
      const { result, requests } = yield* send([reply], remove)
      expect(result).toEqual(Result.succeed(undefined))
      expect(requests).toMatchObject([{ method: "DELETE", body: "" }])
    }),
  )

  it.live.each([
    ["a reset before the headers", Reply.reset],
    ["a reset within the body", Reply.resetWithin(okReply)],
    ["a body that is cut short", Reply.shortBody()(okReply)],
    ["503", Reply.empty(503)],
    ["an unexpected success", Reply.empty(202)],
  ] as const)("a DELETE and a POST are not retried after %s, and may have been applied", ([, reply]) =>
    Effect.gen(function* () {
      for (const request of [remove, change]) {
        const accepts = (status: number) => status === 200 || status === 204
        const { result, requests } = yield* send([reply, Reply.empty(204)], request, { accepts })
        expect(result).toMatchObject({ failure: { maybeApplied: true } })
        expect(requests).toHaveLength(1)
      }
    }),
  )

  it.live.each([301, 302, 303, 307, 308] as const)("a POST does not follow a %i redirect", (status) =>
    Effect.gen(function* () {
      const { result, requests } = yield* send([Reply.redirect(status, "/moved"), okReply], change)
      // A 303 leads to the result.
      const failure = { maybeApplied: status === 303, reason: { _tag: "Redirect", problem: "method" } }
      expect(result).toMatchObject({ failure })
      expect(requests).toHaveLength(1)
    }),
  )

  it.live("an unknown host fails, and nothing was applied", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip((yield* client("https://vigil.invalid")).send(remove, options))
      const code = expect.stringMatching(/ENOTFOUND|EAI_AGAIN/)
      expect(error).toMatchObject({ maybeApplied: false, reason: { _tag: "Transport", code } })
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

it.live("links and redirects to a trusted origin are followed, with the credential", () =>
  Effect.gen(function* () {
    const gateway = yield* Faults.serve([Reply.page([{ name: "B" }])])
    const server = yield* Faults.serve([
      Reply.redirect(302, `${gateway.origin}/moved`),
      Reply.page([], `${gateway.origin}/page`),
    ])
    const service = yield* client(server.origin, { trustedOrigins: [gateway.origin] })
    const read = drain(list(service, service.url("/list")))
    expect([yield* read, yield* read]).toMatchObject([{ delivered: ["B"] }, { delivered: ["B"] }])
    expect((yield* gateway.requests).map(({ headers, target }) => [target, headers["authorization"]])).toEqual([
      ["/moved", `Bearer ${canary}`],
      ["/page", `Bearer ${canary}`],
    ])
  }).pipe(Effect.provide(oneLayer)),
)
