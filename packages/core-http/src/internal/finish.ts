/** What a call returns of its response: a decoded body, or a response of `effect/http`. */
import * as HttpClientError from "effect/http/HttpClientError"
import * as HttpClientResponse from "effect/http/HttpClientResponse"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import * as ErrorBody from "../ErrorBody.js"
import * as Reason from "../Reason.js"
import type { Send } from "../Request.js"
import * as body from "./body.js"
import type { Finish } from "./call.js"
import { toError } from "./client.js"
import { redact } from "./redact.js"

/** By the Fetch standard, a body with these statuses is ignored. */
const withoutBody: ReadonlySet<number> = new Set([204, 205, 304])

export const decode =
  <A>({ decode, responseType }: Send<A>): Finish<A> =>
  (call, { bytes, headers, status, url }) => {
    const text = body.text(bytes)
    const isEmpty = withoutBody.has(status) || (text === "" && call.request.method !== "GET")
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
      return toError(call, new Reason.Decode({ path: clean(path), problem: clean(problem), ...error }))
    })
  }

/**
 * A response with its whole body in memory, which programs read any number of times. Neither its `request` nor the error of its `json` contains a
 * secret.
 */
export const toResponse: Finish<HttpClientResponse.HttpClientResponse> = (
  { shown: request },
  { bytes, cookies, headers, status, url },
) =>
  Effect.sync(() => {
    const init = { status, headers: { ...headers } }
    // A `Response` is read once.
    const make = () => HttpClientResponse.fromWeb(request, new Response(withoutBody.has(status) ? null : bytes, init))
    const response = Object.defineProperties(make(), {
      // `text` and `json` are made of it. The `slice` of Node's `Buffer` would not copy.
      arrayBuffer: { value: Effect.sync(() => new Uint8Array(bytes).buffer) },
      formData: { value: Effect.suspend(() => make().formData) },
      stream: { value: Stream.unwrap(Effect.sync(() => make().stream)) },
      // A response that a program makes has no URL, and only one line of `Set-Cookie`.
      url: { value: url.href },
      cookies: { value: cookies },
    })
    // The error of `JSON.parse` quotes the body.
    const invalid = () =>
      new HttpClientError.HttpClientError({ reason: new HttpClientError.DecodeError({ request, response }) })
    return Object.defineProperty(response, "json", { value: Effect.mapError(response.json, invalid) })
  })
