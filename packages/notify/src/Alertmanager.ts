/** Alertmanager of Prometheus: alerts by its API v2. */
import * as Credential from "@vigil/core-http/Credential"
import * as Decoder from "@vigil/core-http/Decoder"
import * as Origin from "@vigil/core-http/Origin"
import { InvalidSetting, parseDuration } from "@vigil/core-http/SettingsError"
import type * as HttpClient from "effect/http/HttpClient"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Equal from "effect/Equal"
import * as Option from "effect/Option"
import * as Record from "effect/Record"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import * as SafeText from "@vigil/health-text/SafeText"
import { fitKey } from "./internal/fields.js"
import * as httpSink from "./internal/httpSink.js"
import { parse as parseRepeatEvery } from "./internal/repeatEvery.js"
import { headline, severity, webLink } from "./internal/message.js"
import { isOver, type Notification } from "./Notification.js"
import type { Sink } from "./Sink.js"

/** Labels by name, which matches `[a-zA-Z_][a-zA-Z0-9_]*`. @category models @since 0.1.0 */
export type Labels = Readonly<Record<string, string>>

/** Options of `payload`. @category models @since 0.1.0 */
export interface PayloadOptions {
  /** Additional labels, such as `environment`. They cannot replace the labels of the notification. Default: none. */
  readonly labels?: Labels | undefined
  /** How long an alert is active after its last notification, if nothing resolves it. Default: 30 days. */
  readonly lifetime?: Duration.Input | undefined
}

/** Options of an Alertmanager sink. @category models @since 0.1.0 */
export interface Options extends httpSink.HttpOptions, PayloadOptions {
  /** The base URL of Alertmanager: HTTPS, or HTTP on this machine or without a `credential`. Its path is kept. No error and no span contains the path. */
  readonly url: string | Redacted.Redacted
  /** How requests authenticate. Default: `Credential.none`. */
  readonly credential?: Credential.Credential | undefined
  /**
   * How often a `Delivery` sends the alerts of open events again, because Alertmanager loses them when it restarts. Default: 1 minute.
   * `Duration.infinity`: never.
   */
  readonly repeatEvery?: Duration.Input | undefined
}

/** An alert of `POST /api/v2/alerts`. @category models @since 0.1.0 */
export type Alert = {
  readonly labels: Labels
  readonly annotations?: Readonly<Record<string, string>>
  readonly startsAt?: string | undefined
  readonly endsAt: string
  readonly generatorURL?: string | undefined
}

/** The API limits no text: https://github.com/prometheus/alertmanager/blob/main/api/v2/openapi.yaml. */
const limits = { label: 1_000, text: 10_000, url: 2_000 }

const alertname = "ServiceHealthEvent"

/** Labels that may change while the event is active. */
const changing: ReadonlySet<string> = new Set(["severity", "type", "service", "region"])

const withoutEmpty = (texts: Labels): Labels => Record.filter(texts, (text) => text !== "")

const joined = (names: ReadonlyArray<string>): string =>
  SafeText.fit(SafeText.line(names.toSorted().join(", ")), limits.label)

/**
 * Formats a notification as an alert. `endsAt` is the end of a resolved or withdrawn event, and far in the future for an active one, because
 * Alertmanager resolves alerts without it after some minutes.
 * @category conversions @since 0.1.0
 */
export const payload = (
  notification: Notification,
  { labels = {}, lifetime = Duration.days(30), now }: PayloadOptions & { readonly now: DateTime.Utc },
): Alert => {
  const parse = (text: string | null) => Option.getOrElse(DateTime.make(text ?? ""), () => now)
  const start = parse(notification.startedAt ?? notification.updatedAt)
  const endsAt = isOver(notification)
    ? DateTime.min(parse(notification.endedAt), now)
    : DateTime.addDuration(DateTime.max(start, now), lifetime)
  return {
    labels: withoutEmpty({
      ...labels,
      alertname,
      key: fitKey(SafeText.lines(notification.key), limits.label),
      severity: severity(notification),
      type: SafeText.fit(notification.type, limits.label),
      service: joined(notification.services),
      region: joined(notification.regions),
    }),
    annotations: withoutEmpty({
      summary: SafeText.fit(headline(notification), limits.label),
      description: SafeText.fit(notification.text, limits.text),
      status: SafeText.fit(notification.status, limits.label),
      tracking_id: SafeText.fit(notification.trackingId, limits.label),
      subscription: SafeText.fit(notification.subscription ?? "", limits.label),
      subscription_name: SafeText.fit(notification.subscriptionName ?? "", limits.label),
    }),
    startsAt: DateTime.formatIso(DateTime.min(start, endsAt)),
    endsAt: DateTime.formatIso(endsAt),
    generatorURL: webLink(notification, limits.url),
  }
}

const accepts = { statuses: [200], expected: "empty", matches: (body: string) => body.trim() === "" }

const ActiveAlerts = Schema.Array(
  Schema.Struct({ labels: Schema.Record(Schema.String, Schema.String), startsAt: Schema.DateTimeUtcFromString }),
)

const identity = (labels: Labels): Labels => Record.filter(labels, (_, name) => !changing.has(name))

/**
 * Makes a sink that posts alerts to Alertmanager, which identifies them by their labels. If those of an event change, the sink resolves its
 * former alert. Fails with `InvalidSetting` if an option is invalid.
 * @category constructors @since 0.1.0
 */
export const make = ({
  labels = {},
  url: baseUrl,
  credential = Credential.none,
  ...options
}: Options): Effect.Effect<Sink, InvalidSetting, HttpClient.HttpClient | Scope.Scope> =>
  Effect.gen(function* () {
    const text = Redacted.isRedacted(baseUrl) ? Redacted.value(baseUrl) : baseUrl
    const base = yield* Effect.fromResult(Origin.parseBase(text, "url"))
    if (credential._tag !== "None") yield* httpSink.parseUrl(text)
    if (!Object.keys(labels).every((label) => /^[a-z_]\w*$/i.test(label)))
      return yield* new InvalidSetting({ setting: "labels", expected: "a record with valid label names" })
    const lifetime = yield* parseDuration(
      options.lifetime ?? "30 days",
      "lifetime",
      (duration) => Duration.isPositive(duration) && Duration.isFinite(duration),
      "a finite duration above 0",
    )
    const repeatEvery = yield* parseRepeatEvery(options.repeatEvery ?? "1 minute")
    const url = Origin.append(base, "/api/v2/alerts")
    const toCheck = "the credential and the URL"
    const { get, name, post } = yield* httpSink.make(
      { service: "Alertmanager", accepts, credential, toCheck, url: new URL(url) },
      options,
    )
    const deliver = Effect.fnUntraced(function* (notification: Notification) {
      const now = yield* DateTime.now
      const alert = payload(notification, { labels, lifetime, now })
      const own = identity(alert.labels)
      const matchers = Object.entries(own).map(
        ([label, value]) => `filter=${encodeURIComponent(`${label}=${JSON.stringify(value)}`)}`,
      )
      const active = yield* get({
        operation: "Alertmanager.list",
        url: `${url}?${matchers.join("&")}`,
        decode: Decoder.fromSchema(ActiveAlerts),
      })
      const former = active.filter(
        ({ labels }) => Equal.equals(identity(labels), own) && !Equal.equals(labels, alert.labels),
      )
      const resolved = former.map(({ labels, startsAt }) => ({
        labels,
        startsAt: DateTime.formatIso(DateTime.min(startsAt, now)),
        endsAt: DateTime.formatIso(now),
      }))
      yield* post({ body: [alert, ...resolved] })
    })
    return { name, repeatEvery, deliver }
  })
