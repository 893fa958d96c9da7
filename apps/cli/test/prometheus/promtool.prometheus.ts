/** Checks the metrics of `vigil serve` and the configuration of the guides with promtool. */
import { spawnSync } from "node:child_process"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { families } from "../../src/serve/FleetMetrics.js"
import * as MetricsText from "../../src/serve/MetricsText.js"
import { folder } from "../support/folder.js"
import { startServer } from "../support/server.js"

const yamlOf = (guide: string) =>
  [
    ...readFileSync(new URL(`../../../../docs/recipes/${guide}`, import.meta.url), "utf8").matchAll(
      /```yaml\n([\s\S]*?)```/g,
    ),
  ].map(([, block = ""]) => block)

const [config = "", rules = ""] = yamlOf("operations.md")

const [, fleetRules = ""] = yamlOf("fleet.md")

const promtool = (args: ReadonlyArray<string>, options: { readonly cwd?: string; readonly input?: string } = {}) => {
  const { error, status, stderr, stdout } = spawnSync("promtool", args, { encoding: "utf8", ...options })
  expect({ error, status, output: stdout + stderr }).toMatchObject({ error: undefined, status: 0 })
  return stdout
}

/** Critical, emerging and unknown issues, and one that resolves; maintenance; polls that stop, events that could not be read, and sinks that reject notifications, fail, or fail once. */
const cases = `
rule_files: [vigil.rules.yml]
evaluation_interval: 1m
tests:
  - interval: 1m
    input_series:
      - series: 'vigil_event_impacts_active{subscription="a",kind="issue",type="ServiceIssue",level="Critical",service="DNS",region="West"}'
        values: '1x9 _x10'
      - series: 'vigil_event_impacts_active{subscription="b",kind="issue",type="ServiceIssue",level="Critical",service="DNS",region="West"}'
        values: '1x9 _x10'
      - series: 'vigil_event_impacts_active{subscription="a",kind="issue",type="EmergingIssues",level="Warning",service="SQL",region="East"}'
        values: '1x20'
      - series: 'vigil_event_impacts_active{subscription="a",kind="issue",type="Other",level="Other",service="",region=""}'
        values: '_x10 1x20'
      - series: 'vigil_event_impacts_active{subscription="a",kind="notice",type="PlannedMaintenance",level="Critical",service="VM",region="East"}'
        values: '1x20'
      - series: vigil_poll_age_seconds{subscription="a"}
        values: '10x30'
      - series: vigil_poll_age_seconds{subscription="b"}
        values: '10x9 1000x20'
      - series: vigil_invalid_entries{subscription="b"}
        values: '0x9 1x20'
      - series: vigil_events_unknown_status{subscription="b"}
        values: '0x9 2x10 0x10'
      - series: vigil_notifications_total{sink="refuses",result="dead_lettered"}
        values: '0x5 1x20'
      - series: vigil_notifications_total{sink="fails",result="failed"}
        values: '0+1x25'
      - series: vigil_notifications_total{sink="fails",result="delivered"}
        values: '0x25'
      - series: vigil_notifications_total{sink="recovers",result="failed"}
        values: '0x5 1x20'
      - series: vigil_notifications_total{sink="recovers",result="delivered"}
        values: '0x5 1x20'
    alert_rule_test:
      - alertname: VigilCannotNotify
        eval_time: 10m
        exp_alerts:
          - exp_labels: { severity: ticket, sink: refuses }
            exp_annotations: { summary: The sink refuses refuses notifications or does not respond }
          - exp_labels: { severity: ticket, sink: fails }
            exp_annotations: { summary: The sink fails refuses notifications or does not respond }
      - alertname: SevereIssue
        eval_time: 1m
      - alertname: SevereIssue
        eval_time: 5m
        exp_alerts:
          - exp_labels: { severity: page, service: DNS, region: West }
            exp_annotations: { summary: "Active issue: DNS West" }
      - alertname: SevereIssue
        eval_time: 18m
        exp_alerts:
          - exp_labels: { severity: page }
            exp_annotations: { summary: "Active issue:  " }
      - alertname: Issue
        eval_time: 5m
        exp_alerts:
          - exp_labels: { severity: ticket, service: SQL, region: East }
            exp_annotations: { summary: "Active issue: SQL East" }
      - alertname: VigilCannotReadEvents
        eval_time: 9m
      - alertname: VigilCannotReadEvents
        eval_time: 16m
        exp_alerts:
          - exp_labels: { severity: ticket, subscription: b }
            exp_annotations:
              summary: "3 health events could not be read, or have an unknown status: each may be an issue"
      - alertname: VigilIsBlind
        eval_time: 9m
      - alertname: VigilIsBlind
        eval_time: 20m
        exp_alerts:
          - exp_labels: { severity: ticket, subscription: b }
            exp_annotations: { summary: "No poll of health events has succeeded for 15 minutes: b" }
`

describe("promtool", () => {
  it.live("accepts the metrics", () =>
    Effect.gen(function* () {
      const { get, idle } = yield* startServer("--sandbox")
      yield* idle
      promtool(["check", "metrics"], { input: (yield* get("/metrics")).text })
    }),
  )

  it.live("accepts the configuration and the rules of the guides, whose alerts fire and resolve", () =>
    Effect.gen(function* () {
      const cwd = yield* folder
      writeFileSync(join(cwd, "prometheus.yml"), config)
      writeFileSync(join(cwd, "vigil.rules.yml"), rules)
      writeFileSync(join(cwd, "cases.yml"), cases)
      expect(promtool(["check", "config", "--syntax-only", "prometheus.yml"], { cwd })).toContain("SUCCESS")
      expect(promtool(["check", "rules", "vigil.rules.yml"], { cwd })).toContain("5 rules found")
      promtool(["test", "rules", "cases.yml"], { cwd })
      writeFileSync(join(cwd, "fleet.rules.yml"), fleetRules)
      expect(promtool(["check", "rules", "fleet.rules.yml"], { cwd })).toContain("4 rules found")
    }),
  )

  it("accepts the metrics of a fleet", () => {
    const sink = { name: "chat", pending: 1, oldestAt: new Date(0), error: null, deadLetters: 1, isServed: true }
    const counts = { subscriptions: 1, paused: 0, failing: 0, late: 0, lag: 0, lastPollAt: null, refused: 0 }
    const text = MetricsText.render(families({ ...counts, runners: [], sinks: [sink] }, 1_000))
    promtool(["check", "metrics"], { input: text })
  })
})
