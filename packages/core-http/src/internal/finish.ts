/** What a call returns of its response: a decoded body, or a response of `effect/http`. */
import type * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as HttpClientResponse from "effect/http/HttpClientResponse"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as ErrorBody from "../ErrorBody.js"
import * as Reason from "../Reason.js"
import type { Send } from "../Request.js"
import * as attempt from "./attempt.js"
import * as body from "./body.js"
import type { Finish } from "./call.js"
import { redact } from "./redact.js"

export const decode =
  <A>({ decode, responseType }: Send<A>): Finish<A> =>
  (call, { bytes, headers, status, url }) => {
    const text = body.text(bytes)
    // The body of a 205 is ignored.
    const isEmpty = status === 204 || status === 205 || (text === "" && call.request.method !== "GET")
    const json = isEmpty ? Result.succeed(undefined) : body.json(text, headers["content-encoding"])
    const content = responseType === "text" ? Result.succeed(text) : json
    const decoded = Effect.flatMap(Effect.fromResult(content), (value) =>
      decode(value, { status, headers, url: url.href }),
    )
    return Effect.mapError(decoded, ({ path, problem }) => {
      // The keys of a map are part of the path, and may contain anything.
      const clean = (text: string, length = 200) => redact(text, call, length)
      const { code, message } = ErrorBody.inSuccess(Result.getOrUndefined(content)) ?? {}
      const error = { code: code && clean(code, 100), detail: message && clean(message, 500) }
      return attempt.toError(call, new Reason.Decode({ path: clean(path), problem: clean(problem), ...error }))
    })
  }

/** Statuses whose responses cannot have a body by the Fetch standard. */
const withoutBody: ReadonlySet<number> = new Set([101, 103, 204, 205, 304])

/** A response with its whole body in memory. Its `request` is that of the caller, without the credential. */
export const toResponse =
  (request: HttpClientRequest.HttpClientRequest): Finish<HttpClientResponse.HttpClientResponse> =>
  (_, { bytes, cookies, headers, status, url }) =>
    Effect.sync(() => {
      const source = new Response(withoutBody.has(status) ? null : bytes, { status, headers: { ...headers } })
      // A response that a program makes has no URL, and only one line of `Set-Cookie`.
      Object.defineProperty(source, "url", { value: url.href })
      const response = HttpClientResponse.fromWeb(request, source)
      return cookies === undefined ? response : Object.defineProperty(response, "cookies", { value: cookies })
    })
