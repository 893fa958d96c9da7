/** Signatures, verified by the library of the specification. */
import { expect, it } from "@effect/vitest"
import { Retry } from "@vigil/core-http"
import { Webhook } from "@vigil/notify"
import { Faults, Reply } from "@vigil/sandbox"
import { oneLayer } from "@vigil/testing/HttpStack"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as StandardWebhooks from "standardwebhooks"
import { sample } from "./notifications.js"

const secretOf = (byte: number) => `whsec_${Buffer.alloc(32, byte).toString("base64")}`

/** A clock that advances by a second each time it is read. */
const ticking = Effect.clockWith((live) => {
  let now = Date.now()
  const tick = () => (now += 1_000)
  const clock: Clock.Clock = {
    currentTimeMillisUnsafe: tick,
    currentTimeMillis: Effect.sync(tick),
    currentTimeNanosUnsafe: () => live.currentTimeNanosUnsafe(),
    currentTimeNanos: live.currentTimeNanos,
    monotonicTimeNanosUnsafe: () => live.monotonicTimeNanosUnsafe(),
    monotonicTimeNanos: live.monotonicTimeNanos,
    sleep: (duration) => live.sleep(duration),
  }
  return Effect.succeed(clock)
})

it.live("each attempt is signed by all secrets, with its own time and the same ID", () =>
  Effect.gen(function* () {
    const server = yield* Faults.serve([Reply.empty(503), Reply.empty(204)])
    const sink = yield* Webhook.make({
      url: Redacted.make(server.origin),
      secrets: [Redacted.make(secretOf(1)), Redacted.make(secretOf(2))],
      retry: Retry.exponential(1, 3),
    })
    const notification = { ...sample, text: "é 漢 \ud83d \u0000 \\" }
    yield* Effect.provideService(sink.deliver(notification), Clock.Clock, yield* ticking)
    const requests = yield* server.requests
    for (const { body, headers } of requests) {
      for (const byte of [1, 2]) new StandardWebhooks.Webhook(secretOf(byte)).verify(body, headers)
      expect(() => new StandardWebhooks.Webhook(secretOf(3)).verify(body, headers)).toThrow("No matching signature")
      expect(JSON.parse(body)).toEqual(JSON.parse(JSON.stringify(Webhook.payload(notification))))
      expect(headers["webhook-id"]).toBe(sample.id)
    }
    const [first, second] = requests.map(({ headers }) => Number(headers["webhook-timestamp"]))
    expect(requests).toHaveLength(2)
    expect(second).toBeGreaterThan(first ?? Infinity)
  }).pipe(Effect.provide(oneLayer)),
)

it.live("requests are not signed if there is no secret", () =>
  Effect.gen(function* () {
    const server = yield* Faults.serve([Reply.empty(204)])
    const sink = yield* Webhook.make({ url: Redacted.make(server.origin), secrets: "none" })
    yield* sink.deliver(sample)
    const { headers } = yield* server.awaitRequests(1)
    expect(headers).toMatchObject({ "webhook-id": sample.id, "webhook-timestamp": expect.any(String) })
    expect(headers).not.toHaveProperty("webhook-signature")
  }).pipe(Effect.provide(oneLayer)),
)

it.live("an error does not contain the secret, however the receiver writes it", () =>
  Effect.gen(function* () {
    const key = Buffer.from([...Buffer.from("canary-".repeat(4)), 255, 1, 2, 3])
    const base64 = key.toString("base64")
    const hex = key.toString("hex")
    const forms = [
      [
        base64,
        key.toString("base64url"),
        `whsec_${base64}`,
        encodeURIComponent(base64),
        JSON.stringify(key.toString()),
      ],
      [
        hex,
        hex.toUpperCase(),
        hex.replaceAll(/../g, "$&:"),
        hex.replaceAll(/../g, "%$&"),
        hex.replaceAll(/../g, "&#x$&;"),
      ],
      [`whsec_${base64}`].flatMap((text) => [Buffer.from(text).toString("hex"), btoa(text)]),
    ].flat()
    const server = yield* Faults.serve(forms.map((form) => Reply.text(`before ${form} after`, { status: 400 })))
    const secrets = [Redacted.make(`whsec_${base64}`)]
    const sink = yield* Webhook.make({ url: Redacted.make(server.origin), secrets })
    for (const form of forms) {
      const { message } = yield* Effect.flip(sink.deliver(sample))
      expect(message, form).toContain("<redacted>")
      expect(message, form).not.toContain(form.slice(0, 20))
    }
  }).pipe(Effect.provide(oneLayer)),
)
