/** Every sink, over real sockets. */
import type { HttpClient } from "effect/http"
import { describe, expect, it } from "@effect/vitest"
import { Credential, Retry, type SettingsError } from "@vigil/core-http"
import { Alertmanager, PagerDuty, type Sink, Slack, Teams, Webhook } from "@vigil/notify"
import { Faults, Reply } from "@vigil/sandbox"
import { oneLayer } from "@vigil/testing/HttpStack"
import * as LongSecret from "@vigil/testing/LongSecret"
import * as property from "@vigil/testing/property"
import { printed, record } from "@vigil/testing/Recorder"
import * as FastCheck from "fast-check"
import * as Duration from "effect/Duration"
import * as Result from "effect/Result"
import * as Effect from "effect/Effect"
import * as Metric from "effect/Metric"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import type * as Scope from "effect/Scope"
import { sample } from "./notifications.js"

const routingKey = "canary78901234567890123456789012"
const secret = `whsec_${Buffer.from("canary-canary-canary-canary").toString("base64")}`
const basePath = "/services/T0CANARY0/B0CANARY0"
const path = `${basePath}/canary?sig=canary-signature`
const retry = Retry.exponential(1, 3)

type Make = (
  origin: string,
) => Effect.Effect<Sink.Sink, SettingsError.InvalidSetting, HttpClient.HttpClient | Scope.Scope>

const success = Reply.json({ status: "success", message: "Event processed", dedup_key: "x" }, { status: 202 })
const page = "\n<!DOCTYPE html>\n<html><body>Sign in</body></html>"

interface Subject {
  readonly name: string
  readonly make: Make
  /** Where the sink posts. */
  readonly target: string
  /** What its target responds if it accepts a notification. */
  readonly accepted: Reply.Reply
  /** Whether any other response with a 2xx status code counts as accepted, unless it is a page. Default: `false`. */
  readonly acceptsAny?: boolean
  /** No error, span, log and metric contains these secrets, or their parts. */
  readonly secrets: ReadonlyArray<string>
}

const sinks: ReadonlyArray<Subject> = [
  {
    name: "slack",
    make: (origin) => Slack.make({ url: Redacted.make(origin + path), retry }),
    target: path,
    accepted: Reply.text("ok"),
    secrets: [path],
  },
  {
    name: "teams",
    make: (origin) => Teams.make({ url: Redacted.make(origin + path), retry }),
    target: path,
    accepted: Reply.empty(202),
    secrets: [path],
  },
  {
    name: "pagerduty",
    make: (origin) => PagerDuty.make({ url: `${origin}/v2/enqueue`, routingKey: Redacted.make(routingKey), retry }),
    target: "/v2/enqueue",
    accepted: success,
    secrets: [routingKey],
  },
  {
    name: "alertmanager",
    make: (origin) => Alertmanager.make({ url: Redacted.make(`${origin}${basePath}/`), retry }),
    target: `${basePath}/api/v2/alerts`,
    accepted: Reply.empty(200),
    secrets: [basePath],
  },
  {
    name: "webhook",
    make: (origin) => Webhook.make({ url: Redacted.make(origin + path), secrets: [Redacted.make(secret)], retry }),
    target: path,
    accepted: Reply.text("received"),
    acceptsAny: true,
    secrets: [path, secret],
  },
]

/** Delivers to a server with these replies. Alertmanager first lists alerts. Returns the POST requests, and everything recorded. */
const deliver = (make: Make, replies: ReadonlyArray<Reply.Reply>) =>
  Effect.gen(function* () {
    let posts = 0
    const server = yield* Faults.serve(({ method }) =>
      method === "GET" ? Reply.json([]) : (replies[posts++] ?? Reply.empty(599)),
    )
    const sink = yield* make(server.origin)
    const recording = yield* record(Effect.result(sink.deliver(sample)))
    const requests = (yield* server.requests).filter(({ method }) => method === "POST")
    return { ...recording, name: sink.name, requests }
  }).pipe(Effect.provide(oneLayer))

describe.each(sinks)("$name", ({ accepted, acceptsAny = false, make, name, secrets, target }) => {
  it.live("delivers a notification once", () =>
    Effect.gen(function* () {
      const { name: own, requests, result } = yield* deliver(make, [accepted])
      expect(own).toBe(name)
      expect(result).toMatchObject({ _tag: "Success" })
      expect(requests).toMatchObject([{ target, headers: { "content-type": "application/json" } }])
      expect(requests[0]?.body).toContain("Storage: 503 responses")
    }),
  )

  it.live("does not count a response of a proxy as delivered", () =>
    Effect.gen(function* () {
      const others = acceptsAny ? [] : [Reply.json({ status: "ignored" })]
      for (const reply of [200, 202].map((status) => Reply.text(page, { status })).concat(others)) {
        const { requests, result } = yield* deliver(make, [reply])
        expect(result).toMatchObject({ failure: { _tag: "RequestError", isRetryable: true, maybeApplied: true } })
        expect(requests).toHaveLength(1)
      }
    }),
  )

  it.live("fails after 400, without a retry, and names the options to check", () =>
    Effect.gen(function* () {
      const { requests, result } = yield* deliver(make, [Reply.text("invalid_payload", { status: 400 })])
      expect(result).toMatchObject({
        failure: { reason: { _tag: "ServiceFailure", detail: "invalid_payload" }, isRetryable: false },
      })
      const { message } = Option.getOrThrow(Result.getFailure(result))
      expect(message).toMatch(/Check the [^.]*URL[^.]*\.$/)
      expect(requests).toHaveLength(1)
    }),
  )

  it.live("retries after 429 and 500 with the same body", () =>
    Effect.gen(function* () {
      const replies = [Reply.empty(429, { "retry-after": "0" }), Reply.empty(500), accepted]
      const { requests, result } = yield* deliver(make, replies)
      expect(result).toMatchObject({ _tag: "Success" })
      expect(requests).toHaveLength(3)
      expect(new Set(requests.map(({ body }) => body)).size).toBe(1)
      expect(new Set(requests.map(({ headers }) => headers["webhook-id"])).size).toBe(1)
    }),
  )

  it.live("fails with the requested wait if it is too long", () =>
    Effect.gen(function* () {
      const { requests, result } = yield* deliver(make, [Reply.empty(429, { "retry-after": "120" })])
      const retryAfter = Duration.seconds(120)
      expect(result).toMatchObject({ failure: { reason: { _tag: "RateLimited" }, isRetryable: true, retryAfter } })
      expect(requests).toHaveLength(1)
    }),
  )

  it.live.each([302, 307, 511])("does not follow the %s of a proxy, and may be sent again", (status) =>
    Effect.gen(function* () {
      const reply = status < 400 ? Reply.redirect(status, "/elsewhere") : Reply.empty(status)
      const { requests, result } = yield* deliver(make, [reply])
      expect(result).toMatchObject({ _tag: "Failure", failure: { isRetryable: true } })
      expect(requests).toHaveLength(1)
    }),
  )

  it.live("keeps secrets out of errors, spans, logs and metrics", () =>
    Effect.gen(function* () {
      const message = `no ${path} ${routingKey} ${secret}`
      for (const reply of [
        Reply.json({ message }, { status: 404 }),
        Reply.text(message, { status: 503 }),
        Reply.reset,
      ]) {
        const replies = [reply, reply, reply, reply]
        const { result, spans, text } = yield* deliver(make, replies)
        expect(result).toMatchObject({ _tag: "Failure" })
        expect(spans.length).toBeGreaterThan(1)
        const parts = [...secrets.flatMap((secret) => secret.split(/[/?=]/)), ...secrets].filter((s) => s.length > 8)
        const metrics = (yield* Metric.snapshot).filter(({ id }) => id.startsWith("http.client"))
        expect(metrics.length).toBeGreaterThan(0)
        const outputs = [text, printed(result), printed(metrics)]
        for (const part of parts) for (const output of outputs) expect(output).not.toContain(part)
      }
    }),
  )
})

/** The secrets of a sink, with the text if its target accepts it. Short segments of a path that look like words are shown. */
const withSecret: ReadonlyArray<
  (text: string) => { readonly secrets: ReadonlyArray<string>; readonly make: (origin: string) => ReturnType<Make> }
> = [
  (text) => ({
    secrets: [text],
    make: (origin) => Slack.make({ url: Redacted.make(`${origin}/services/${encodeURIComponent(text)}`) }),
  }),
  (text) => ({
    secrets: [text],
    make: (origin) => Teams.make({ url: Redacted.make(`${origin}/hook?sig=${encodeURIComponent(text)}`) }),
  }),
  (text) => ({
    secrets: [text, secret],
    make: (origin) =>
      Webhook.make({
        url: Redacted.make(`${origin}/${encodeURIComponent(text)}`),
        secrets: [Redacted.make(secret)],
      }),
  }),
  (text) => ({
    secrets: [text],
    make: (origin) => Alertmanager.make({ url: Redacted.make(`${origin}/${encodeURIComponent(text)}`) }),
  }),
  () => ({
    secrets: [routingKey],
    make: (origin) => PagerDuty.make({ url: `${origin}/v2/enqueue`, routingKey: Redacted.make(routingKey) }),
  }),
]

property.live(
  "no output of a sink has a long secret, however a response repeats it",
  [
    FastCheck.constantFrom(...withSecret),
    FastCheck.constantFrom(...LongSecret.kinds),
    FastCheck.nat(2 ** 31),
    FastCheck.integer({ min: 20, max: 50 }),
    FastCheck.constantFrom(...LongSecret.writers),
    FastCheck.constantFrom(400, 403, 404, 200),
  ],
  ([subject, kind, seed, tenths, write, status]) =>
    Effect.gen(function* () {
      const { make, secrets } = subject(kind(seed, Math.floor(10 ** (tenths / 10))).toWellFormed())
      const hidden = secrets.filter((text) => text.replaceAll(/[^\p{L}\p{N}]/gu, "").length > 5)
      const repeated = hidden.map(write)
      const { result, text } = yield* deliver(make, [Reply.json({ message: `no ${repeated.join(" ")}` }, { status })])
      const shown = `${text}\n${printed(result)}`.toLowerCase()
      const parts = [...hidden, ...repeated].flatMap((text) => [
        text.slice(0, 40),
        text.slice(text.length / 2).slice(0, 40),
      ])
      const found = parts.filter((part) => part.length > 5 && shown.includes(part.toLowerCase()))
      expect(found).toEqual([])
    }),
)

describe("an invalid option", () => {
  const credential = Credential.bearer(Redacted.make("canary"))
  const good = Redacted.make("https://hooks.example/x")
  const invalid: ReadonlyArray<readonly [string, string, ReturnType<Make>]> = [
    ["url", "plain HTTP", Slack.make({ url: Redacted.make("http://hooks.example/canary") })],
    ["url", "text that is not a URL", Teams.make({ url: Redacted.make("canary") })],
    ["url", "a password", Webhook.make({ url: Redacted.make("https://a:canary@hooks.example"), secrets: "none" })],
    ["secrets", "no secret", Webhook.make({ url: good, secrets: [] })],
    ["secrets.0", "a short secret", Webhook.make({ url: good, secrets: [Redacted.make("whsec_Y2FuYXJ5")] })],
    [
      "secrets.1",
      "invalid base64",
      Webhook.make({ url: good, secrets: [secret, "whsec_canary!"].map((text) => Redacted.make(text)) }),
    ],
    ["routingKey", "a short key", PagerDuty.make({ routingKey: Redacted.make("canary") })],
    ["url", "plain HTTP", PagerDuty.make({ routingKey: Redacted.make(routingKey), url: "http://events.example" })],
    ["url", "plain HTTP with a credential", Alertmanager.make({ url: "http://alertmanager:9093", credential })],
    ["url", "a query", Alertmanager.make({ url: "https://a.example/prefix?tenant=canary" })],
    ["labels", "an invalid name", Alertmanager.make({ url: "https://a.example", labels: { "a-b": "c" } })],
    ["lifetime", "a duration of 0", Alertmanager.make({ url: "https://a.example", lifetime: 0 })],
    ["lifetime", "no duration", Alertmanager.make({ url: "https://a.example", lifetime: NaN })],
    ["repeatEvery", "no duration", Alertmanager.make({ url: "https://a.example", repeatEvery: NaN })],
    ["timeout", "a duration of 0", Slack.make({ url: good, timeout: 0 })],
  ]
  it.effect.each(invalid)("is refused: %s with %s", ([setting, , make]) =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(make)
      expect(error).toMatchObject({ _tag: "InvalidSetting", setting })
      expect(printed(error)).not.toMatch(/canary/i)
    }).pipe(Effect.provide(oneLayer)),
  )
})

it.live("PagerDuty's reasons are part of the error", () =>
  Effect.gen(function* () {
    const make: Make = (origin) => PagerDuty.make({ url: origin, routingKey: Redacted.make(routingKey), retry })
    const refusal = { status: "invalid event", message: "Event object is invalid", errors: ["'routing_key' is wrong"] }
    const { result } = yield* deliver(make, [Reply.json(refusal, { status: 400 })])
    expect(result).toMatchObject({ failure: { reason: { detail: "Event object is invalid: 'routing_key' is wrong" } } })
  }),
)
