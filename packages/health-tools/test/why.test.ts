/** The tool that explains the state of one resource. */
import { describe, expect, it } from "@effect/vitest"
import { AvailabilityClient, Connection, Credential, HealthClient, Retry } from "@vigil/health-client"
import { Sandbox, type World } from "@vigil/sandbox"
import { event, now, own, quiet, subscription, vm } from "@vigil/testing/quietWorld"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { FetchHttpClient } from "effect/http"
import { connect } from "./connect.js"

const history = /web-1\/.*availabilityStatuses\?/

interface Situation {
  readonly changes?: ReadonlyArray<(world: World.World) => World.World>
  /** Requests to these paths fail. */
  readonly fails?: RegExp
  readonly code?: number
}

const start = Effect.gen(function* () {
  const sandbox = yield* Sandbox.make({ changeEvery: undefined, now })
  const options = {
    baseUrl: sandbox.baseUrl,
    credential: Credential.bearer(sandbox.accessToken),
    retry: Retry.none,
  }
  const clients = Layer.mergeAll(HealthClient.layer, AvailabilityClient.layer).pipe(
    Layer.provide(Connection.layer(options)),
    Layer.provide(FetchHttpClient.layer),
  )
  const set = ({ changes = [], code = 502, fails }: Situation) =>
    Effect.andThen(
      sandbox.change(() => changes.reduce((world, change) => change(world), quiet)),
      sandbox.refuse(({ target }) => (fails?.test(decodeURIComponent(target)) === true ? code : undefined)),
    )
  return { clients, set }
})

describe("health_why", () => {
  it.live("answers with the verdict, its evidence and what was not read", () =>
    Effect.gen(function* () {
      const { clients, set } = yield* start
      const { call } = yield* connect(clients)
      yield* set({ changes: [event({ title: "An <b>outage</b>" }, own)], fails: history })
      const answer = yield* call("health_why", { resource: vm })
      expect(answer).toMatchObject({
        status: "partial",
        verdict: "platform",
        isOngoing: true,
        quotedAnswer: expect.stringMatching(/^The platform: An outage, event began 3 h/),
        current: { state: "Available" },
        unread: [{ source: "history" }],
        subscriptions: { failed: [{ id: subscription }] },
        entries: [{ cause: "platform", subject: "resource", phase: "now", quotedTitle: "An outage" }],
      })
      yield* set({ fails: history })
      expect(yield* call("health_why", { resource: vm })).toMatchObject({ status: "unknown", verdict: "unknown" })
      yield* set({})
      expect(yield* call("health_why", { resource: vm })).toMatchObject({ status: "complete", verdict: "none" })
      yield* set({ changes: [event({ title: 7 as never }, own)] })
      expect(yield* call("health_why", { resource: vm })).toMatchObject({
        invalidEntries: 2,
        unread: ["resource", "subscription"].map((list) => ({ source: `events of the ${list}` })),
        subscriptions: { failed: [] },
      })
      yield* set({})
      expect((yield* call("health_why", { resource: `${vm}9` })).error).toMatch(/^The service does not know/)
      expect((yield* call("health_why", { resource: `/subscriptions/${subscription}` })).error).toMatch(
        /nor the ID of a resource/,
      )
    }),
  )

  it.live("is unknown if nothing could be read", () =>
    Effect.gen(function* () {
      const { clients, set } = yield* start
      const { call } = yield* connect(clients, { names: [{ id: subscription, name: "Production" }] })
      yield* set({ fails: /./, code: 403 })
      expect(yield* call("health_why", { resource: vm })).toMatchObject({
        status: "unknown",
        verdict: "unknown",
        subscriptions: { covered: [], failed: [{ id: subscription, name: "Production" }] },
        unread: [{ source: "all", quotedProblem: expect.stringContaining("403") }],
      })
    }),
  )
})
