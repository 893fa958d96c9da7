import { FetchHttpClient } from "@effect/platform"
import { expect, it } from "@effect/vitest"
import { Credential, HealthClient, RetryPolicy, SubscriptionId } from "@vigil/health-client"
import { Faults } from "@vigil/sandbox"
import { Effect, Redacted, Ref, Stream } from "effect"

// The list of a service with a fault: what was delivered, how it ended, and what the servers received.
const reading = (name: Faults.Name) =>
  Effect.gen(function* () {
    const { foreign, server } = yield* Faults.start(name)
    const health = yield* HealthClient.make({
      baseUrl: server.origin,
      credential: Credential.bearer(Redacted.make("secret-token")),
      retry: RetryPolicy.make({ baseDelay: 0 }),
    })
    const delivered = yield* Ref.make(0)
    const end = yield* health.listBySubscription(SubscriptionId.make("s1")).pipe(
      Stream.runForEach(() => Ref.update(delivered, (count) => count + 1)),
      Effect.either,
    )
    return { delivered: yield* delivered, end, foreign, server }
  }).pipe(Effect.provide(FetchHttpClient.layer))

it.scopedLive("delivers what came before a page that can't be had", () =>
  Effect.gen(function* () {
    const { delivered, end } = yield* reading("last-page-502")
    expect(delivered).toBeGreaterThan(0)
    expect(end).toMatchObject({ _tag: "Left", left: { _tag: "ServiceError", status: 502 } })
  }),
)

it.scopedLive("keeps the token at home", () =>
  Effect.gen(function* () {
    const { end, foreign } = yield* reading("next-link-other-port")
    expect(end).toMatchObject({ _tag: "Left", left: { _tag: "LinkRefused" } })
    expect(yield* foreign.bytes).not.toContain("secret-token")
  }),
)
