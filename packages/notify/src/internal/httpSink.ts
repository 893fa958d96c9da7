/** What the sinks over HTTP have in common. */
import * as Credential from "@vigil/core-http/Credential"
import * as Origin from "@vigil/core-http/Origin"
import type * as Request from "@vigil/core-http/Request"
import { RequestError } from "@vigil/core-http/RequestError"
import * as ServiceClient from "@vigil/core-http/ServiceClient"
import type { InvalidSetting } from "@vigil/core-http/SettingsError"
import * as StatusReason from "@vigil/core-http/StatusReason"
import type * as HttpClient from "effect/http/HttpClient"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import type { Notification } from "../Notification.js"
import type { Json, Sink } from "../Sink.js"

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

/** Parses a URL that receives secrets: HTTPS, or HTTP on this machine. */
export const parseUrl = (text: string): Effect.Effect<URL, InvalidSetting> =>
  Effect.fromResult(Origin.parseSecure(text))

/**
 * An error with advice about the options of a sink. What is not a response of the target is from a proxy, so a later attempt may succeed: a page, a
 * redirect to a sign-in, 511 (RFC 6585, 6), and the codes above that proxies made up.
 */
class SinkError extends RequestError.extend<SinkError>("SinkError")({ advice: Schema.String }) {
  override get isRetryable(): boolean {
    const { reason } = this
    if ("status" in reason) return super.isRetryable || reason.status < 300 || reason.status > 510
    return super.isRetryable || reason._tag === "Decode" || reason._tag === "Redirect"
  }
  override get message(): string {
    const { advice, reason } = this
    return "status" in reason && reason.status < 500 && !this.isRetryable
      ? `${this.operation}: the ${this.service} service ${StatusReason.formatMessage(reason, advice)}`
      : super.message
  }
}

/** What a target responds if it has accepted a notification. */
export interface Acceptance {
  /** Default: 200 to 299. */
  readonly statuses?: ReadonlyArray<number>
  /** What the body must be, such as `empty`. The error says that the body is not that. */
  readonly expected: string
  readonly matches: (body: string) => boolean
}

/** Proxies send pages, such as for a sign-in, with the status code 200. */
const isPage = (body: string): boolean =>
  /^\s*</.test(body) && /<(?:!doctype html|html|head|body|title|script|h1)\b/i.test(body.slice(0, 2_000))

export const anyBody: Acceptance = {
  expected: "a response of the target, but an HTML page",
  matches: (body) => !isPage(body),
}

/** A request of a sink, which may be sent twice. `secrets`: those of its body and headers. The credential and the path of the URL are never shown. */
interface Post extends Pick<Request.Options, "secrets"> {
  readonly body: Json
  readonly headers?: Readonly<Record<string, string>>
}

interface Target {
  readonly service: string
  readonly accepts: Acceptance
  /** The options to check if the target rejects the request. */
  readonly toCheck: string
  readonly parseErrorBody?: ServiceClient.Options["parseErrorBody"]
  readonly credential?: Credential.Credential | undefined
  /** Where to post. No error and no span contains its path and its query. */
  readonly url: URL
}

/** Makes the name of a sink, and the requests that it may send. */
export const make = (
  { accepts: { expected, matches, statuses }, credential = Credential.none, service, toCheck, url, ...target }: Target,
  { advice = `Check ${toCheck}`, name = service.toLowerCase(), ...options }: HttpOptions,
) =>
  Effect.gen(function* () {
    const { origin: baseUrl } = url
    const client = yield* ServiceClient.make({ credential, ...target, ...options, service, baseUrl })
    const withAdvice = Effect.mapError(
      ({ maybeApplied, operation, reason, service }: RequestError) =>
        new SinkError({ maybeApplied, operation, reason, service, advice }),
    )
    const request = HttpClientRequest.post(url.href)
    const sendOptions: Request.Send<void> = {
      operation: `${service}.deliver`,
      isUrlSecret: true,
      idempotent: true,
      responseType: "text",
      ...(statuses && { accepts: (status) => statuses.includes(status) }),
      decode: (body) =>
        matches(String(body)) ? Effect.void : Effect.fail({ path: "", problem: `is not ${expected}` }),
    }
    return {
      name,
      post: ({ body, headers = {}, secrets }: Post): Effect.Effect<void, RequestError> =>
        request.pipe(
          HttpClientRequest.setHeaders(headers),
          HttpClientRequest.bodyText(JSON.stringify(body), "application/json"),
          (request) => withAdvice(client.send(request, { ...sendOptions, secrets })),
        ),
      get: <A>(request: Omit<Request.Get<A>, "isUrlSecret">): Effect.Effect<A, RequestError> =>
        withAdvice(client.get({ ...request, isUrlSecret: true })),
    }
  })

/** Makes a sink that posts messages to a webhook, whose URL is the secret. */
export const makeWebhook = (
  service: string,
  accepts: Acceptance,
  payload: (notification: Notification) => Json,
  { url: text, ...options }: HttpOptions & { readonly url: Redacted.Redacted },
): Effect.Effect<Sink, InvalidSetting, HttpClient.HttpClient | Scope.Scope> =>
  Effect.gen(function* () {
    const url = yield* parseUrl(Redacted.value(text))
    const { name, post } = yield* make({ service, accepts, url, toCheck: "the URL of the webhook" }, options)
    return { name, deliver: (notification) => post({ body: payload(notification) }) }
  })
