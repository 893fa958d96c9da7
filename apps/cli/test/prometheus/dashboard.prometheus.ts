/** The queries of `deploy/grafana` in a Prometheus that scrapes `vigil serve`. */
import { readFileSync } from "node:fs"
import { afterEach, expect, it } from "@effect/vitest"
import { Faults, Reply } from "@vigil/sandbox"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import * as Schema from "effect/Schema"
import { vi } from "vitest"
import { startReceiver } from "../support/receiver.js"
import { startServer } from "../support/server.js"
import { fleetMetrics } from "./fleetMetrics.js"
import { startPrometheus } from "./prometheus.js"

const Dashboard = Schema.fromJsonString(
  Schema.Struct({
    panels: Schema.Array(
      Schema.Struct({
        title: Schema.String,
        targets: Schema.optionalKey(Schema.Array(Schema.Struct({ expr: Schema.String }))),
      }),
    ),
  }),
)

const Answer = Schema.Struct({ data: Schema.Struct({ result: Schema.Array(Schema.Unknown) }) })

const file = new URL("../../../../deploy/grafana/vigil.json", import.meta.url)

/** Each query, with the values of the variables that Grafana would fill in. */
const queries = Schema.decodeSync(Dashboard)(readFileSync(file, "utf8")).panels.flatMap(({ targets = [], title }) =>
  targets.map(({ expr }) => ({
    title,
    expr: expr.replaceAll("$subscription", ".*").replaceAll("$__rate_interval", "1m"),
  })),
)

afterEach(() => {
  vi.unstubAllEnvs()
})

it.live("each query of the dashboard has a result", () =>
  Effect.gen(function* () {
    const { routes } = yield* startReceiver()
    const { url } = yield* startServer("--sandbox", "--resources", "--routes", routes)
    const fleet = yield* Faults.serve([Reply.text(fleetMetrics)])
    const prometheus = yield* startPrometheus([url, fleet.origin])
    const run = (expr: string) =>
      Effect.promise(async () => (await fetch(`${prometheus}/api/v1/query?query=${encodeURIComponent(expr)}`)).json())
    const isEmpty = ({ expr }: { readonly expr: string }) =>
      Effect.map(run(expr), (answer) => Schema.decodeUnknownSync(Answer)(answer).data.result.length === 0)
    // The first scrapes have no rates.
    const empty = yield* Effect.repeat(Effect.filter(queries, isEmpty), {
      until: (queries) => queries.length === 0,
      schedule: Schedule.spaced("500 millis").pipe(Schedule.upTo({ times: 60 })),
    })
    expect(empty).toEqual([])
  }),
)
