/** Checks the metrics of `vigil serve`, and the rules of `deploy/prometheus`, with promtool. */
import { spawnSync } from "node:child_process"
import { readdirSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { startServer } from "../support/server.js"
import { fleetMetrics } from "./fleetMetrics.js"

const rules = fileURLToPath(new URL("../../../../deploy/prometheus", import.meta.url))

const promtool = (args: ReadonlyArray<string>, input?: string) => {
  const { error, status, stderr, stdout } = spawnSync("promtool", args, { cwd: rules, encoding: "utf8", input })
  expect({ error, status, output: stdout + stderr }).toMatchObject({ error: undefined, status: 0 })
}

describe("promtool", () => {
  it.live("accepts the metrics", () =>
    Effect.gen(function* () {
      const { get, idle } = yield* startServer("--sandbox", "--resources")
      yield* idle
      promtool(["check", "metrics"], (yield* get("/metrics")).text)
    }),
  )

  it("accepts the metrics of a fleet", () => promtool(["check", "metrics"], fleetMetrics))

  it("accepts the configuration and the rules, whose alerts fire and resolve", () => {
    promtool(["check", "config", "--syntax-only", "prometheus.yml"])
    promtool(["check", "rules", ...readdirSync(rules).filter((file) => file.endsWith(".rules.yml"))])
    promtool(["test", "rules", ...readdirSync(`${rules}/test`).map((file) => `test/${file}`)])
  })
})
