/** How the outcomes of polls are stored together. */
import * as PgClient from "@effect/sql-pg/PgClient"
import { expect, it } from "@effect/vitest"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"
import * as Reactivity from "effect/reactivity/Reactivity"
import { nothing } from "../src/internal/poll.js"
import { batches, type Outcome } from "../src/internal/store.js"

const outcome: Outcome = {
  claim: {
    subscription: "s1",
    token: "t",
    state: null,
    wait_ms: 0,
    trace: null,
    lag_seconds: 0,
    has_open_events: false,
    has_succeeded: true,
    now: DateTime.makeUnsafe(0),
    first_due: 0,
  },
  result: {
    ...nothing,
    error: undefined,
    get state(): never {
      throw new TypeError("a defect")
    },
  },
  trace: null,
  wait: Duration.zero,
}

const unused = SqlClient.make({
  driver: "postgres",
  acquirer: Effect.never,
  compiler: PgClient.makeCompiler(),
  spanAttributes: [],
})

it.effect("an outcome that cannot be written fails, and so does the next one, instead of waiting", () =>
  Effect.gen(function* () {
    const runner = { id: "r", lease: Duration.seconds(10), polls: new Map(), deliveries: new Map() }
    const store = yield* batches({ ...runner, report: undefined, floor: { at: -Infinity } })
    for (const one of [outcome, outcome]) expect(Exit.hasDies(yield* Effect.exit(store(one)))).toBe(true)
  }).pipe(Effect.provide(Layer.provide(Layer.effect(SqlClient.SqlClient, unused), Reactivity.layer))),
)
