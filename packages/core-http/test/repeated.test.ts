/** An answer to a request that was sent before: whether that may have been carried out. */
import { FetchHttpClient } from "@effect/platform"
import { describe, expect, it } from "@effect/vitest"
import { Credential, Decoder, RetryPolicy, ServiceClient } from "@vigil/core-http"
import { Faults, Reply } from "@vigil/sandbox"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"

/** What a removal that may be repeated fails with in the end. */
const remove = (script: Reply.Script, credential = Credential.none) =>
  Effect.gen(function* () {
    const server = yield* Faults.serve(script)
    const service = yield* ServiceClient.make({
      baseUrl: server.origin,
      credential,
      timeout: "200 millis",
      retry: RetryPolicy.make({ baseDelay: "1 millis", maxDelay: "2 millis" }),
    })
    const operation = "Thing.remove"
    const url = service.url("/thing")
    return yield* Effect.flip(
      service.request({ operation, method: "DELETE", url, repeatable: true, decode: Decoder.nothing }),
    )
  }).pipe(Effect.provide(FetchHttpClient.layer))

const missing = Reply.empty(404)

describe("an error after another attempt", () => {
  it.scopedLive.each([
    ["broke off before its answer", Reply.reset],
    ["was answered 502", Reply.empty(502)],
    ["was answered 500", Reply.empty(500)],
    ["was never answered", Reply.silent],
  ] as const)("that %s says that it may have been carried out", ([, first]) =>
    Effect.gen(function* () {
      expect(yield* remove([first, missing])).toMatchObject({ _tag: "NotFound", repeated: true })
      expect(yield* remove([first, Reply.empty(429), missing])).toMatchObject({ _tag: "NotFound", repeated: true })
    }),
  )

  it.scopedLive("that was refused says that nothing was", () =>
    Effect.gen(function* () {
      expect(yield* remove([missing])).toMatchObject({ _tag: "NotFound", repeated: false })
      expect(yield* remove([Reply.empty(429), missing])).toMatchObject({ _tag: "NotFound", repeated: false })
      const token = Credential.bearer(Effect.succeed(Redacted.make("token")))
      expect(yield* remove([Reply.empty(401), missing], token)).toMatchObject({ _tag: "NotFound", repeated: false })
    }),
  )
})
