/** The alerts of `deploy/prometheus` in a Prometheus that scrapes `vigil serve`: which fire in a situation that a service serves. */
import { readdirSync, readFileSync } from "node:fs"
import { describe, expect, it } from "@effect/vitest"
import { Faults, Reply } from "@vigil/sandbox"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import * as Schema from "effect/Schema"
import { afterEach, vi } from "vitest"
import { startReceiver } from "../support/receiver.js"
import { startServer } from "../support/server.js"
import { issue, resource, serveSituation, type Situation } from "../support/situation.js"
import * as Metrics from "../../src/serve/Metrics.js"
import * as MetricsText from "../../src/serve/MetricsText.js"
import { failingFleetMetrics } from "./fleetMetrics.js"
import { startPrometheus } from "./prometheus.js"

const folder = new URL("../../../../deploy/prometheus/", import.meta.url)
const files = readdirSync(folder).filter((name) => name.endsWith(".rules.yml"))
const texts = files.map((name) => readFileSync(new URL(name, folder), "utf8"))

/** As deployed, but an alert fires after one second. */
const quickly = (text: string) => text.replaceAll(/^( +for:) .*/gm, "$1 1s").replaceAll(/^( +interval:) .*/gm, "$1 1s")

const Text = Schema.Record(Schema.String, Schema.String)

const Rules = Schema.Struct({
  data: Schema.Struct({
    groups: Schema.Array(
      Schema.Struct({ rules: Schema.Array(Schema.Struct({ name: Schema.String, annotations: Text })) }),
    ),
  }),
})

const Alerts = Schema.Struct({
  data: Schema.Struct({
    alerts: Schema.Array(Schema.Struct({ labels: Text, annotations: Text, state: Schema.String })),
  }),
})

const read = <A>(schema: Schema.Decoder<A>, url: string) =>
  Effect.promise(async () => {
    const json: unknown = await (await fetch(url)).json()
    return Schema.decodeUnknownSync(schema)(json)
  })

/** Waits until these alerts fire, and no others: `severity alert subject`. Fails with the others. */
const expectAlerts = (prometheus: string, expected: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const firing = Effect.map(read(Alerts, `${prometheus}/api/v1/alerts`), ({ data }) =>
      data.alerts.filter(({ state }) => state === "firing"),
    )
    const nameOf = ({ labels }: Effect.Success<typeof firing>[number]) => {
      const subject = labels["event"] ?? labels["name"] ?? labels["sink"] ?? labels["subscription"] ?? ""
      return `${labels["severity"]} ${labels["alertname"]} ${subject}`.trimEnd()
    }
    const found = yield* Effect.repeat(firing, {
      until: (all) => all.map(nameOf).toSorted().join() === expected.toSorted().join(),
      schedule: Schedule.spaced("500 millis").pipe(Schedule.upTo({ times: 120 })),
    })
    expect(found.map(nameOf).toSorted()).toEqual(expected.toSorted())
    return (name: string) => found.find((one) => nameOf(one) === name)
  })

/** Of a server whose sink takes less than it gets, and whose disk is full. */
const stuckMetrics = MetricsText.render(
  Metrics.notifications(
    [
      {
        sink: "slow",
        pending: 2_000,
        retrying: 0,
        delivered: 0,
        failed: 0,
        deadLettered: 0,
        lastError: undefined,
        storeError: undefined,
      },
    ],
    false,
  ),
)

const everywhere = ["East US", "West US", "Brazil South", "Japan East"]

/** Serves a situation, and alerts. `change` changes it. */
const scene = (first: Situation, ...args: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    let situation = first
    const service = yield* serveSituation(() => situation)
    const subscriptions = Object.keys(first.events).flatMap((id) => ["-s", id])
    const flags = ["--every", "1s", "--resources", "--public-url", "https://health.example"]
    const { url } = yield* startServer("--base-url", service.origin, ...subscriptions, ...flags, ...args)
    return { url, change: (next: Situation) => void (situation = next) }
  })

afterEach(() => {
  vi.unstubAllEnvs()
})

describe("Prometheus", () => {
  it.live("pages once for one broken resource, and not for an issue of regions without resources", () =>
    Effect.gen(function* () {
      const now = Date.now()
      const others = [
        resource("web-2", "Available", now),
        resource("stopped", "Unavailable", now, { reasonType: "UserInitiated" }),
      ]
      const elsewhere = issue("FAR-1", "Critical", everywhere)
      const events = { a: [elsewhere], b: [elsewhere] }
      const quiet = { events, resources: { a: [resource("web-1", "Available", now), ...others], b: [] } }
      const { change, url } = yield* scene(quiet)
      const prometheus = yield* startPrometheus([url], texts.slice(-1).map(quickly))
      const alert = yield* expectAlerts(prometheus, ["ticket Issue FAR-1"])
      expect(alert("ticket Issue FAR-1")).toMatchObject({
        labels: { link: "https://health.example/#event-FAR-1" },
        annotations: { subscriptions: "a, b", runbook: expect.stringContaining("vigil events show -- 'FAR-1'") },
      })
      const broken = resource("web-1", "Unavailable", now, { reasonType: "Unplanned" })
      change({ events, resources: { a: [broken, ...others], b: [] } })
      const page = yield* expectAlerts(prometheus, ["ticket Issue FAR-1", "page ResourceIsDown web-1"])
      expect(page("page ResourceIsDown web-1")).toMatchObject({
        labels: { link: "https://health.example/#resources" },
        annotations: { runbook: expect.stringContaining("vigil why --subscription 'a' -- 'web-1'") },
      })
      change(quiet)
      yield* expectAlerts(prometheus, ["ticket Issue FAR-1"])
    }),
  )

  it.live("fires each alert in its situation", () =>
    Effect.gen(function* () {
      const now = Date.now()
      const { routes } = yield* startReceiver(() => Reply.empty(400))
      const situation = {
        events: {
          a: [
            issue("NEAR-1", "Critical", ["North Europe", "West Europe"]),
            issue("MINOR-1", "Error", ["West Europe"]),
            1,
          ],
          b: [],
        },
        resources: {
          a: [
            resource("down", "Unavailable", now, { reasonType: "Unplanned" }),
            resource("slow", "Degraded", now, { reasonType: "Unplanned" }),
            // An event could not be read, so that its owner only perhaps stopped it.
            resource("own", "Unavailable", now, { reasonType: "UserInitiated" }),
          ],
          b: [],
        },
      }
      const { change, url } = yield* scene(situation, "--routes", routes)
      const fleet = yield* Faults.serve([Reply.text(`${failingFleetMetrics}${stuckMetrics}`)])
      const prometheus = yield* startPrometheus([url, fleet.origin], texts.map(quickly))
      const expected = [
        "page IssueWhereYouAre NEAR-1",
        "page ResourceIsDown down",
        "page VigilFleetDoesNotWork",
        "page VigilIsBlindInAnOutage",
        "ticket Issue MINOR-1",
        "ticket ResourceIsNotAvailable own",
        "ticket ResourceIsNotAvailable slow",
        "ticket VigilCannotNotify hook",
        "ticket VigilCannotReadEvents a",
        "ticket VigilCannotStoreNotifications",
        "ticket VigilFleetDoesNotDeliver",
        "ticket VigilFleetFails",
        "ticket VigilFleetIsLate",
        "ticket VigilFleetLacksRunners",
        "ticket VigilIsBlind b",
        "ticket VigilNotificationsWait slow",
      ]
      change({ ...situation, events: { ...situation.events, b: 500 } })
      yield* expectAlerts(prometheus, expected)
      const fired = new Set(expected.map((one) => one.split(" ")[1]))
      const { groups } = (yield* read(Rules, `${prometheus}/api/v1/rules?type=alert`)).data
      const rules = groups.flatMap(({ rules }) => rules)
      expect(rules.map(({ name }) => name).filter((name) => !fired.has(name))).toEqual([])
      expect(rules.filter(({ annotations }) => !annotations["runbook"])).toEqual([])
    }),
  )
})
