/** PagerDuty: alerts by the Events API v2. */
import * as ErrorBody from "@vigil/core-http/ErrorBody"
import { InvalidSetting } from "@vigil/core-http/SettingsError"
import type * as HttpClient from "effect/http/HttpClient"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import * as SafeText from "@vigil/health-text/SafeText"
import { fitKey } from "./internal/fields.js"
import * as httpSink from "./internal/httpSink.js"
import { facts, headline, severity, subscriptionOf, webLink } from "./internal/message.js"
import { isOver, type Notification } from "./Notification.js"
import type { Json, Sink } from "./Sink.js"

/** Options of a PagerDuty sink. @category models @since 0.1.0 */
export interface Options extends httpSink.HttpOptions {
  /** The integration key of an Events API v2 integration, which is a secret: 32 characters. */
  readonly routingKey: Redacted.Redacted
  /** The URL of the API. Default: `https://events.pagerduty.com/v2/enqueue`. EU: `https://events.eu.pagerduty.com/v2/enqueue`. */
  readonly url?: string | undefined
}

/** https://developer.pagerduty.com/docs/send-alert-event. An event has at most 512 KB. */
const limits = { summary: 1_024, dedupKey: 255, field: 1_024, text: 10_000, url: 2_000 }

const field = (text: string): string | undefined => SafeText.fit(text, limits.field) || undefined

/**
 * Formats a notification as an event without its `routing_key`: `resolve` for resolved and withdrawn events, else `trigger`. Its `source` is
 * the name and ID of the subscription, else `service-health`.
 * @category conversions @since 0.1.0
 */
export const payload = (notification: Notification): { readonly [name: string]: Json | undefined } => {
  const dedup_key = fitKey(notification.key, limits.dedupKey)
  if (isOver(notification)) return { event_action: "resolve", dedup_key }
  const href = webLink(notification, limits.url)
  return {
    event_action: "trigger",
    dedup_key,
    payload: {
      summary: SafeText.fit(headline(notification), limits.summary),
      source: field(subscriptionOf(notification)) ?? "service-health",
      severity: severity(notification),
      timestamp: notification.updatedAt ?? notification.startedAt ?? undefined,
      component: field(notification.services.join(", ")),
      group: field(notification.regions.join(", ")),
      class: field(notification.type),
      custom_details: {
        ...Object.fromEntries(facts(notification).map(({ name, value }) => [name, field(value)])),
        Text: SafeText.fit(notification.text, limits.text) || undefined,
      },
    },
    ...(href === undefined ? {} : { links: [{ href, text: "Open" }] }),
  }
}

const decodeSuccess = Schema.decodeOption(Schema.fromJsonString(Schema.Struct({ status: Schema.Literal("success") })))

const accepts = {
  statuses: [202],
  expected: "JSON with the status success",
  matches: (body: string) => Option.isSome(decodeSuccess(body)),
}

/** The reasons of a refused event are in `errors`. */
const parseErrorBody = (body: unknown): ErrorBody.ErrorBody => {
  const { code, message } = ErrorBody.fromBody(body)
  const errors = Predicate.hasProperty(body, "errors") && Array.isArray(body.errors) ? body.errors : []
  return { code, message: [message, ...errors].filter(Predicate.isString).join(": ") || undefined }
}

/**
 * Makes a sink that sends events to PagerDuty. Fails with `InvalidSetting` if an option is invalid.
 * @category constructors @since 0.1.0
 */
export const make = ({
  routingKey,
  url: apiUrl = "https://events.pagerduty.com/v2/enqueue",
  ...options
}: Options): Effect.Effect<Sink, InvalidSetting, HttpClient.HttpClient | Scope.Scope> =>
  Effect.gen(function* () {
    if (!/^[\da-z]{32}$/i.test(Redacted.value(routingKey)))
      return yield* new InvalidSetting({ setting: "routingKey", expected: "a text of 32 letters and digits" })
    const url = yield* httpSink.parseUrl(apiUrl)
    const toCheck = "the routing key and the URL"
    const { name, post } = yield* httpSink.make(
      { service: "PagerDuty", accepts, parseErrorBody, toCheck, url },
      options,
    )
    return {
      name,
      keepsEvents: true,
      deliver: (notification) => {
        const body = { routing_key: Redacted.value(routingKey), ...payload(notification) }
        return post({ body, secrets: [routingKey] })
      },
    }
  })
