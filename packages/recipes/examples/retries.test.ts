import { expect, it } from "@effect/vitest"
import { Connection, Credential, HealthClient, SubscriptionId } from "@vigil/health-client"
import { Effect, Fiber, Layer, Redacted, Ref, Stream } from "effect"
import { HttpClient, HttpClientResponse } from "effect/http"
import { TestClock } from "effect/testing"

const busy = { code: "Busy", message: "Try later." }
const unavailable = () => Response.json(busy, { status: 503, headers: { "retry-after": "20" } })
const page = () => Response.json({ value: [{ name: "A1", properties: { title: "Storage is slow" } }] })

// A client of a service that responds with 503 to the first requests, and counts all of them.
const recovering = (failures: number, requests: Ref.Ref<number>) =>
  HealthClient.layer.pipe(
    Layer.provide(
      Connection.layer({
        baseUrl: "https://service.example",
        credential: Credential.bearer(Redacted.make("token")),
      }),
    ),
    Layer.provide(
      Layer.succeed(
        HttpClient.HttpClient,
        HttpClient.make((request) =>
          Effect.map(
            Ref.updateAndGet(requests, (count) => count + 1),
            (count) => HttpClientResponse.fromWeb(request, count > failures ? page() : unavailable()),
          ),
        ),
      ),
    ),
  )

const list = Effect.flatMap(HealthClient.HealthClient, (health) =>
  Stream.runCollect(health.listBySubscription(SubscriptionId.make("s1"))),
)

it.effect("lists the events after a 503", () =>
  Effect.gen(function* () {
    const requests = yield* Ref.make(0)
    const fiber = yield* Effect.forkChild(Effect.provide(list, recovering(1, requests)))
    // The retry waits for the test clock. Nothing in this test takes real time.
    yield* TestClock.adjust("15 seconds")
    expect(yield* Ref.get(requests)).toBe(1)
    yield* TestClock.adjust("15 seconds")
    const events = yield* Fiber.join(fiber)
    expect(Array.from(events, ({ name }) => name)).toEqual(["A1"])
    expect(yield* Ref.get(requests)).toBe(2)
  }),
)

it.effect("fails with ServiceFailure if every retry gets a 503", () =>
  Effect.gen(function* () {
    const requests = yield* Ref.make(0)
    const fiber = yield* Effect.forkChild(Effect.provide(Effect.flip(list), recovering(10, requests)))
    yield* TestClock.adjust("5 minutes")
    expect(yield* Fiber.join(fiber)).toMatchObject({ reason: { _tag: "ServiceFailure", status: 503 } })
    expect(yield* Ref.get(requests)).toBe(4)
  }),
)
