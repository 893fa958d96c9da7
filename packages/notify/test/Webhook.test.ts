/** Signatures, computed by the library of the specification. */
import { expect, it } from "@effect/vitest"
import { RetryPolicy, TestHttpClient } from "@vigil/core-http"
import { Webhook } from "@vigil/notify"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as TestClock from "effect/TestClock"
import * as StandardWebhooks from "standardwebhooks"
import { sample } from "./notifications.js"

const secrets = [1, 2].map((byte) => `whsec_${Buffer.alloc(32, byte).toString("base64")}`)

it.scoped("each attempt is signed by all secrets, with its own time and the same ID", () =>
  Effect.gen(function* () {
    const requests: Array<TestHttpClient.TestRequest> = []
    const http = TestHttpClient.layer((request) => ({ status: requests.push(request) === 1 ? 503 : 204 }))
    const url = Redacted.make("https://hooks.example")
    const retry = RetryPolicy.make({ baseDelay: "10 seconds" })
    const sink = yield* Effect.provide(Webhook.make({ url, secrets: secrets.map(Redacted.make), retry }), http)
    const notification = { ...sample, text: "é 漢 \ud83d \u0000 \\" }
    yield* Effect.race(sink.deliver(notification), Effect.forever(TestClock.adjust("1 second")))
    const times = requests.map(({ headers }) => Number(headers["webhook-timestamp"]))
    expect([times.length, new Set(times).size]).toEqual([2, 2])
    for (const { body, headers } of requests) {
      const at = new Date(Number(headers["webhook-timestamp"]) * 1_000)
      const signatures = secrets.map((secret) => new StandardWebhooks.Webhook(secret).sign(sample.id, at, body))
      expect(headers).toMatchObject({ "webhook-id": sample.id, "webhook-signature": signatures.join(" ") })
      expect(JSON.parse(body)).toEqual(JSON.parse(JSON.stringify(Webhook.payload(notification))))
    }
  }),
)
