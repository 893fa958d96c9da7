/** The tools under a fault of each row of the fault list: an answer or an error in words, never that the platform works, and then the next answer. */
import { expect, it } from "@effect/vitest"
import { AvailabilityClient, Connection, Credential, HealthClient, Retry, SubscriptionId } from "@vigil/health-client"
import { Faults } from "@vigil/sandbox"
import * as FaultRuns from "@vigil/testing/FaultRuns"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { FetchHttpClient } from "effect/http"
import { connect } from "./connect.js"

const secret = "canary-5b1f"

/** They take seconds, and end as in a list: see the tests of core-http. */
const slow: ReadonlySet<Faults.Name> = new Set(["endless-links", "page-of-20-mb"])

const callUnder = (name: Faults.Name) =>
  Effect.scoped(
    Effect.gen(function* () {
      const { server } = yield* Faults.start(name)
      const options = {
        baseUrl: server.origin,
        credential: Credential.bearer(Redacted.make(secret)),
        retry: Retry.exponential("1 millis", 2),
        maxRetryAfter: 0,
        timeout: FaultRuns.timeoutOf(name),
        // Bodies at the default limit, of 32 MiB, take seconds.
        maxBodyBytes: 1_048_576,
      }
      const clients = Layer.mergeAll(HealthClient.layer, AvailabilityClient.layer).pipe(
        Layer.provide(Connection.layer(options)),
        Layer.provide(FetchHttpClient.layer),
      )
      const { call } = yield* connect(clients, { subscriptions: [SubscriptionId.make("s1")] })
      const answer = yield* call("health_events")
      const { verdict = "unknown" } = yield* call("health_why", {
        resource: "/subscriptions/s1/providers/V.A/b/c",
      })
      expect([name, verdict]).toEqual([name, expect.stringMatching(/^(?:unknown|platform)$/)])
      return [name, answer.error ?? JSON.stringify(answer)] as const
    }),
  )

it.live("a fault of each kind ends in an answer or in words", () =>
  Effect.gen(function* () {
    const rows = new Map(Faults.names.toReversed().map((name) => [Faults.byName(name).row, name]))
    const names = [...rows.values()].filter((name) => !slow.has(name))
    const answers = yield* Effect.forEach(names, callUnder, { concurrency: 16 })
    for (const [name, answer] of answers) {
      expect([name, answer]).toEqual([name, expect.stringMatching(/^(?:\{|[A-Z].*\.$)/s)])
      expect(answer).not.toContain(secret)
    }
  }),
)
