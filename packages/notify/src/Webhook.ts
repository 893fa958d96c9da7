/** Webhooks: the notification as JSON, signed by the Standard Webhooks specification. */
import { InvalidSetting } from "@vigil/core-http/SettingsError"
import { flow, identity } from "effect/Function"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Base64 from "effect/encoding/Base64"
import * as Hex from "effect/encoding/Hex"
import * as Option from "effect/Option"
import * as Record from "effect/Record"
import * as Redacted from "effect/Redacted"
import type * as Scope from "effect/Scope"
import * as SafeText from "@vigil/health-text/SafeText"
import * as httpSink from "./internal/httpSink.js"
import { webLink } from "./internal/message.js"
import type { Notification } from "./Notification.js"
import type { Json, Sink } from "./Sink.js"

/** Options of a webhook sink. @category models @since 0.1.0 */
export interface Options extends httpSink.HttpOptions {
  /** The URL of the receiver: HTTPS, or HTTP on this machine. No error and no span contains its path and its query. */
  readonly url: Redacted.Redacted
  /** One or more secrets, each `whsec_` and 24 to 64 bytes in base64. To rotate them, pass the new and the old one. `none`: requests are not signed. */
  readonly secrets: ReadonlyArray<Redacted.Redacted> | "none"
}

/** A receiver gets no longer text. */
const maxText = 4_000

const mapTexts = (notification: Notification) => {
  const values: Readonly<Record<string, string | ReadonlyArray<string> | null>> = { ...notification }
  return Record.map(values, (value) =>
    typeof value === "string"
      ? SafeText.cut(value, maxText)
      : (value?.map((name) => SafeText.cut(name, maxText)) ?? null),
  )
}

/**
 * Formats a notification in the recommended structure of the specification: `type` (such as `event.opened`), `timestamp` and `data`, the
 * notification.
 * @category conversions @since 0.1.0
 */
export const payload = (notification: Notification): Json => ({
  type: `event.${notification.state}`,
  timestamp: notification.updatedAt ?? notification.startedAt ?? undefined,
  data: { ...mapTexts(notification), link: webLink(notification, maxText) ?? null },
})

const idHeader = "webhook-id"

const algorithm = { name: "HMAC", hash: "SHA-256" }

const base64Of = (secret: Redacted.Redacted): string => /^whsec_(.+)$/.exec(Redacted.value(secret))?.[1] ?? ""

const bytesOf = (secret: Redacted.Redacted): Uint8Array =>
  Option.getOrElse(Option.getSuccess(Base64.decode(base64Of(secret))), () => new Uint8Array())

/** https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md, "Signature scheme". */
const importKey = (secret: Redacted.Redacted, index: number): Effect.Effect<CryptoKey, InvalidSetting> => {
  const bytes = bytesOf(secret)
  return bytes.length >= 24 && bytes.length <= 64
    ? Effect.promise(() => crypto.subtle.importKey("raw", new Uint8Array(bytes), algorithm, false, ["sign"]))
    : new InvalidSetting({ setting: `secrets.${index}`, expected: "whsec_ and 24 to 64 bytes in base64" })
}

/** How a receiver, which has the key as bytes, may write it in its response. */
const formsOf = (secret: Redacted.Redacted): ReadonlyArray<Redacted.Redacted> => {
  const bytes = bytesOf(secret)
  const texts = [base64Of(secret), Hex.encode(bytes), new TextDecoder().decode(bytes)]
  return [secret, ...texts.map((text) => Redacted.make(text))]
}

const sign = (key: CryptoKey, content: string): Effect.Effect<string> =>
  Effect.map(
    Effect.promise(() => crypto.subtle.sign(algorithm.name, key, new TextEncoder().encode(content))),
    (signature) => `v1,${Base64.encode(new Uint8Array(signature))}`,
  )

/** Signs each attempt, so that receivers can refuse a request that someone repeats later. */
const signed = (keys: ReadonlyArray<CryptoKey>) =>
  HttpClient.mapRequestEffect(
    Effect.fnUntraced(function* (request: HttpClientRequest.HttpClientRequest) {
      const timestamp = `${Math.floor((yield* Clock.currentTimeMillis) / 1_000)}`
      const body = request.body._tag === "Uint8Array" ? new TextDecoder().decode(request.body.body) : ""
      const content = `${request.headers[idHeader] ?? ""}.${timestamp}.${body}`
      const signatures = yield* Effect.forEach(keys, (key) => sign(key, content))
      return HttpClientRequest.setHeaders(request, {
        "webhook-timestamp": timestamp,
        ...(signatures.length > 0 && { "webhook-signature": signatures.join(" ") }),
      })
    }),
  )

/**
 * Makes a sink that posts JSON, signed by the secrets. The header `webhook-id` is the ID of the notification. Needs the Web Crypto API. Fails with
 * `InvalidSetting` if an option is invalid.
 * @category constructors @since 0.1.0
 */
export const make = ({
  secrets: secretsOrNone,
  url: text,
  ...options
}: Options): Effect.Effect<Sink, InvalidSetting, HttpClient.HttpClient | Scope.Scope> =>
  Effect.gen(function* () {
    if (secretsOrNone.length === 0)
      return yield* new InvalidSetting({ setting: "secrets", expected: "one or more secrets, or none" })
    const secrets = secretsOrNone === "none" ? [] : secretsOrNone
    const keys = yield* Effect.forEach(secrets, importKey)
    const forms = secrets.flatMap(formsOf)
    const url = yield* httpSink.parseUrl(Redacted.value(text))
    const toCheck = "the secret and the URL of the webhook"
    const { name, post } = yield* httpSink.make(
      { service: "Webhook", accepts: httpSink.anyBody, toCheck, url },
      { ...options, transformClient: flow(options.transformClient ?? identity, signed(keys)) },
    )
    return {
      name,
      deliver: (notification) =>
        post({ body: payload(notification), headers: { [idHeader]: notification.id }, secrets: forms }),
    }
  })
