/** The metric of active issues: for each issue of each subscription, whether its reader has resources where it is. */
import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { startServer } from "../support/server.js"
import { issue, resource, serveSituation } from "../support/situation.js"

/** The samples of the metric. */
const serve = (...args: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const near = issue("NEAR-1", "Critical", ["North Europe", "West Europe"])
    const far = issue("FAR-1", "Critical", ["East US", "West US", "Brazil South", "Japan East"])
    const notice = { name: "PLAN-1", properties: { eventType: "PlannedMaintenance", status: "Active" } }
    const { properties, ...event } = issue("FALSE-1", "Critical", ["West Europe"])
    const falsePositive = { ...event, properties: { ...properties, eventTags: ["False Positive"] } }
    const over = { name: "OVER-1", properties: { eventType: "ServiceIssue", status: "Resolved" } }
    const service = yield* serveSituation(() => ({
      events: { a: [near, far, notice, falsePositive, over], b: [near] },
      resources: { a: [resource("web-1", "Unavailable", 0)], b: 403 },
    }))
    const { get, idle } = yield* startServer("-s", "a", "-s", "b", "--base-url", service.origin, ...args)
    yield* idle
    const { text } = yield* get("/metrics")
    return { text, issues: text.match(/^vigil_issue_active.*/gm) }
  })

const sample = (subscription: string, name: string, reach: string, link = "") =>
  `vigil_issue_active{subscription="${subscription}",event="${name}",title="Title of ${name}",type="ServiceIssue",level="Critical",reach="${reach}"${link}} 1`

it.effect(
  "says of each issue whether it is where resources of any subscription are, as the page does, and links it",
  () =>
    Effect.gen(function* () {
      const { issues, text } = yield* serve("--resources", "--public-url", "https://health.example")
      const link = (anchor: string) => `,link="https://health.example/#${anchor}"`
      expect(issues).toEqual([
        sample("a", "NEAR-1", "yours", link("event-NEAR-1")),
        sample("b", "NEAR-1", "yours", link("event-NEAR-1")),
        sample("a", "FAR-1", "elsewhere", link("event-FAR-1")),
      ])
      expect(text).toContain(`state="Unavailable",cause="unknown"${link("resources")}} 1\n`)
    }),
)

it.effect("counts the event that a status names as where its resource is", () =>
  Effect.gen(function* () {
    const { properties, ...web } = resource("web-1", "Unavailable", 0)
    const service = yield* serveSituation(() => ({
      events: { a: [issue("FAR-1", "Critical", ["East US"])] },
      resources: { a: [{ ...web, properties: { ...properties, healthEventId: "far-1" } }] },
    }))
    const { get, idle } = yield* startServer("-s", "a", "--resources", "--base-url", service.origin)
    yield* idle
    expect((yield* get("/metrics")).text).toContain(sample("a", "FAR-1", "yours"))
  }),
)

it.effect("does not know whether resources in its regions are of a service without types", () =>
  Effect.gen(function* () {
    const supportedValues = [
      { displayName: "Web", resourceTypes: ["V.Web/sites"] },
      { displayName: "Network Infrastructure" },
    ]
    const events = [
      issue("NET-1", "Critical", ["West Europe"], "Network Infrastructure"),
      issue("NET-2", "Critical", ["East US"], "Network Infrastructure"),
    ]
    const service = yield* serveSituation(
      () => ({ events: { a: events }, resources: { a: [resource("web-1", "Available", 0)] } }),
      [{ name: "impactedService", properties: { supportedValues } }],
    )
    const { get, idle } = yield* startServer("-s", "a", "--resources", "--base-url", service.origin)
    yield* idle
    const { text } = yield* get("/metrics")
    expect(text).toContain(sample("a", "NET-1", "unknown"))
    expect(text).toContain(sample("a", "NET-2", "elsewhere"))
  }),
)

it.effect("does not know where resources are without --resources", () =>
  Effect.gen(function* () {
    const { issues } = yield* serve()
    expect(issues).toEqual([
      sample("a", "NEAR-1", "unknown"),
      sample("a", "FAR-1", "unknown"),
      sample("b", "NEAR-1", "unknown"),
    ])
  }),
)
