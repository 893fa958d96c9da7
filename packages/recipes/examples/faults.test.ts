import { FetchHttpClient } from "effect/http"
import { expect, it } from "@effect/vitest"
import { Connection, Credential, HealthClient, Retry, SubscriptionId } from "@vigil/health-client"
import { Faults } from "@vigil/sandbox"
import { Effect, Redacted, Ref, Stream } from "effect"

// Reads a list from a server with a fault. Returns the number of events, the result, and both servers.
const readList = (name: Faults.Name) =>
  Effect.gen(function* () {
    const { foreign, server } = yield* Faults.start(name)
    const connection = yield* Connection.make({
      baseUrl: server.origin,
      credential: Credential.bearer(Redacted.make("secret-token")),
      retry: Retry.exponential(0, 3),
    })
    const delivered = yield* Ref.make(0)
    const result = yield* HealthClient.make(connection)
      .listBySubscription(SubscriptionId.make("s1"))
      .pipe(
        Stream.runForEach(() => Ref.update(delivered, (count) => count + 1)),
        Effect.result,
      )
    return { delivered: yield* Ref.get(delivered), result, foreign, server }
  }).pipe(Effect.provide(FetchHttpClient.layer))

it.live("delivers the pages before one that fails", () =>
  Effect.gen(function* () {
    const { delivered, result } = yield* readList("last-page-502")
    expect(delivered).toBeGreaterThan(0)
    expect(result).toMatchObject({ _tag: "Failure", failure: { reason: { _tag: "ServiceFailure", status: 502 } } })
  }),
)

it.live("sends the token to its origin only", () =>
  Effect.gen(function* () {
    const { foreign, result } = yield* readList("next-link-other-port")
    expect(result).toMatchObject({ _tag: "Failure", failure: { reason: { _tag: "Link" } } })
    expect(yield* foreign.bytes).not.toContain("secret-token")
  }),
)
