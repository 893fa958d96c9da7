/** `maybeApplied`: whether an earlier attempt may have succeeded. */
import { FetchHttpClient, HttpClient, HttpClientError, HttpClientResponse } from "effect/http"
import { describe, expect, it } from "@effect/vitest"
import { Credential, Decoder, RetryPolicy, ServiceClient } from "@vigil/core-http"
import { Faults, Reply } from "@vigil/sandbox"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"

/** The error of an idempotent DELETE request. */
const removeAt = (baseUrl: string, credential = Credential.none) =>
  Effect.gen(function* () {
    const service = yield* ServiceClient.make({
      service: "thing",
      baseUrl,
      credential,
      timeout: "200 millis",
      retry: RetryPolicy.make({ baseDelay: "1 millis", maxDelay: "2 millis" }),
    })
    const operation = "Thing.remove"
    const url = service.url("/thing")
    return yield* Effect.flip(
      service.request({ operation, method: "DELETE", url, idempotent: true, decode: Decoder.ignore }),
    )
  })

const remove = (script: Reply.Script, credential = Credential.none) =>
  Effect.flatMap(Faults.serve(script), ({ origin }) => removeAt(origin, credential)).pipe(
    Effect.provide(FetchHttpClient.layer),
  )

/** Like `remove`, with a system error for the first attempt and a 404 for the second attempt. */
const removeAfter = (code: string) =>
  Effect.suspend(() => {
    let sent = 0
    const http = HttpClient.make((request) =>
      sent++ === 0
        ? new HttpClientError.HttpClientError({
            reason: new HttpClientError.TransportError({
              request,
              cause: Object.assign(new Error("fetch failed"), { cause: Object.assign(new Error(code), { code }) }),
            }),
          })
        : Effect.succeed(HttpClientResponse.fromWeb(request, new Response(null, { status: 404 }))),
    )
    return Effect.provideService(removeAt("https://service.example"), HttpClient.HttpClient, http)
  })

const missing = Reply.empty(404)

describe("an earlier attempt", () => {
  it.live.each([
    ["was reset before the response", Reply.reset],
    ["got status 502", Reply.empty(502)],
    ["got status 500", Reply.empty(500)],
    ["got no response", Reply.silent],
  ] as const)("that %s may have been applied", ([, first]) =>
    Effect.gen(function* () {
      expect(yield* remove([first, missing])).toMatchObject({ _tag: "NotFound", maybeApplied: true })
      expect(yield* remove([first, Reply.empty(429), missing])).toMatchObject({ _tag: "NotFound", maybeApplied: true })
    }),
  )

  it.live("that was rejected was not applied", () =>
    Effect.gen(function* () {
      expect(yield* remove([missing])).toMatchObject({ _tag: "NotFound", maybeApplied: false })
      expect(yield* remove([Reply.empty(429), missing])).toMatchObject({ _tag: "NotFound", maybeApplied: false })
      const token = Credential.bearer(Effect.succeed(Redacted.make("token")))
      expect(yield* remove([Reply.empty(401), missing], token)).toMatchObject({ _tag: "NotFound", maybeApplied: false })
    }),
  )

  it.live("that failed may have been applied, unless the error shows that there was no connection", () =>
    Effect.gen(function* () {
      const notConnected =
        "ECONNREFUSED EHOSTUNREACH ENETUNREACH ENOTFOUND EAI_AGAIN UND_ERR_CONNECT_TIMEOUT CERT_HAS_EXPIRED UNABLE_TO_VERIFY_LEAF_SIGNATURE ERR_TLS_CERT_ALTNAME_INVALID"
      for (const code of notConnected.split(" "))
        expect(yield* removeAfter(code)).toMatchObject({ _tag: "NotFound", maybeApplied: false })
      for (const code of ["ETIMEDOUT", "ECONNRESET", "EPIPE", "UND_ERR_SOCKET", "UND_ERR_HEADERS_TIMEOUT"])
        expect(yield* removeAfter(code)).toMatchObject({ _tag: "NotFound", maybeApplied: true })
    }),
  )
})
