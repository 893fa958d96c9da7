/** The queries of `deploy/grafana` in a Prometheus that scrapes `vigil serve`. */
import { spawn } from "node:child_process"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { afterEach, expect, it } from "@effect/vitest"
import { Faults, Reply } from "@vigil/sandbox"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Schedule from "effect/Schedule"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { vi } from "vitest"
import { folder } from "../support/folder.js"
import { startReceiver } from "../support/receiver.js"
import { startServer } from "../support/server.js"
import { fleetMetrics } from "./fleetMetrics.js"

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

/** Starts Prometheus on a free port. Returns its URL. */
const startPrometheus = Effect.fnUntraced(function* (targets: ReadonlyArray<string>) {
  const path = yield* folder
  const config = { scrape_configs: [{ job_name: "vigil", scrape_interval: "1s", static_configs: [{ targets }] }] }
  // YAML is a superset of JSON.
  writeFileSync(join(path, "prometheus.yml"), JSON.stringify(config))
  const flags = ["config.file=prometheus.yml", "storage.tsdb.path=data", "web.listen-address=127.0.0.1:0"]
  const command = yield* Effect.acquireRelease(
    Effect.sync(() =>
      spawn(
        "prometheus",
        flags.map((flag) => `--${flag}`),
        { cwd: path, stdio: ["ignore", "ignore", "pipe"] },
      ),
    ),
    (command) =>
      Effect.callback<void>((resume) => {
        command.once("exit", () => resume(Effect.void))
        command.kill()
      }),
  )
  const lines = Stream.fromAsyncIterable(createInterface(command.stderr), (error) => error)
  const listening = yield* lines.pipe(
    Stream.map((line) => /Listening on.*address=(127\.0\.0\.1:\d+)/.exec(line)?.[1]),
    Stream.filter(Predicate.isNotUndefined),
    Stream.runHead,
  )
  return `http://${Option.getOrThrow(listening)}`
})

afterEach(() => {
  vi.unstubAllEnvs()
})

it.live("each query of the dashboard has a result", () =>
  Effect.gen(function* () {
    const { routes } = yield* startReceiver()
    const { url } = yield* startServer("--sandbox", "--resources", "--routes", routes)
    const fleet = yield* Faults.serve([Reply.text(fleetMetrics)])
    const prometheus = yield* startPrometheus([url, fleet.origin].map((target) => new URL(target).host))
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
