/** What the sinks over HTTP have in common. */
import * as Credential from "@vigil/core-http/Credential"
import * as Decoder from "@vigil/core-http/Decoder"
import * as ErrorBody from "@vigil/core-http/ErrorBody"
import * as Origin from "@vigil/core-http/Origin"
import type * as Request from "@vigil/core-http/Request"
import type { RequestError } from "@vigil/core-http/RequestError"
import * as ServiceClient from "@vigil/core-http/ServiceClient"
import { InvalidSetting } from "@vigil/core-http/SettingsError"
import * as StatusReason from "@vigil/core-http/StatusReason"
import type * as HttpClient from "effect/http/HttpClient"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Redacted from "effect/Redacted"
import type * as Scope from "effect/Scope"
import type { Notification } from "../Notification.js"
import type { Sink } from "../Sink.js"

/** Options of every sink over HTTP. @category models @since 0.1.0 */
export interface HttpOptions extends Pick<
  ServiceClient.Settings,
  "maxRetryAfter" | "rateLimit" | "retry" | "timeout" | "totalTimeout" | "transformClient"
> {
  /** What to do if the target rejects the request (400 to 499, except 408 and 429), without the full stop. Default: names the options to check. */
  readonly advice?: string | undefined
  /** The name of the sink, for logs and routes. Default: that of the target, such as `slack`. */
  readonly name?: string | undefined
}

/** Parses a URL. Requests that contain a secret need HTTPS, or this machine. */
export const parseUrl = (setting: string, text: string, hasSecret = true): Result.Result<URL, InvalidSetting> => {
  const url = Result.getOrUndefined(Origin.parseHttp(text))
  return url === undefined || (hasSecret && Origin.isExposed(url))
    ? Result.fail(
        new InvalidSetting({
          setting,
          expected: `an ${hasSecret ? "HTTPS" : "HTTP or HTTPS"} URL without a user name and a password`,
        }),
      )
    : Result.succeed(url)
}

/** Slack and Alertmanager send an error as text. An HTML body comes from a proxy, and says nothing about the request. */
export const parseErrorBody = (body: unknown): ErrorBody.ErrorBody => {
  if (typeof body !== "string") return ErrorBody.fromJson(body)
  return /^\s*(<|$)/.test(body) ? {} : { message: body }
}

/** Replaces the advice of the message, which is about API tokens and IDs. */
const withAdvice =
  (advice: string) =>
  (error: RequestError): RequestError => {
    const { operation, reason, retryable, service } = error
    if (retryable || !("status" in reason) || reason.status < 400 || reason.status > 499) return error
    const value = `${operation}: the ${service} service ${StatusReason.formatMessage(reason, advice)}`
    return Object.defineProperty(error, "message", { value })
  }

/** A request that a sink may send twice, and whose response it ignores. */
interface Post extends Pick<Request.Request<void>, "headers" | "operation" | "secrets" | "url"> {
  readonly body: Request.Json | Request.JsonText
}

export const makeClient = ({
  toCheck,
  advice = `Check ${toCheck}`,
  credential = Credential.none,
  service,
  url,
  ...options
}: HttpOptions & {
  /** The options to check if the target rejects the request. */
  readonly toCheck: string
  readonly service: string
  readonly url: URL
  readonly credential?: Credential.Credential | undefined
  readonly parseErrorBody?: ServiceClient.Options["parseErrorBody"]
}) =>
  ServiceClient.make({ parseErrorBody, ...options, service, credential, baseUrl: url.origin }).pipe(
    Effect.map((client) => ({
      get: <A>(request: Request.Get<A>) => Effect.mapError(client.get(request), withAdvice(advice)),
      post: (request: Post) =>
        client
          .request({ ...request, method: "POST", idempotent: true, decode: Decoder.ignore })
          .pipe(Effect.mapError(withAdvice(advice))),
    })),
  )

/** A sink that posts messages to a webhook, whose URL is the secret. */
export const makeWebhook = (
  service: string,
  payload: (notification: Notification) => Request.Json,
  { name = service.toLowerCase(), url: secretUrl, ...options }: HttpOptions & { readonly url: Redacted.Redacted },
): Effect.Effect<Sink, InvalidSetting, HttpClient.HttpClient | Scope.Scope> =>
  Effect.gen(function* () {
    const url = yield* Effect.fromResult(parseUrl("url", Redacted.value(secretUrl)))
    const client = yield* makeClient({ ...options, toCheck: "the URL of the webhook", service, url })
    return {
      name,
      deliver: (notification) =>
        client.post({ operation: `${service}.deliver`, url: Redacted.make(url.href), body: payload(notification) }),
    }
  })
