/** Names of subscriptions in commands and in what they print. */
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import { Reply } from "@vigil/sandbox"
import * as Effect from "effect/Effect"
import { afterEach, vi } from "vitest"
import { event, startReceiver } from "../support/receiver.js"
import { run } from "../support/run.js"
import { serveSubscriptions } from "../support/service.js"
import { makeWorkspace } from "../support/workspace.js"

afterEach(() => {
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
})

const subscriptions = { "Prod #1": "id-1", "Te\u001b[31mst / EU": "id-2", "id-1": "attacker" }

/** An active event of now that affects two subscriptions. */
const impacting = () => {
  const { name, properties } = event("A", "Active", new Date().toISOString())
  const impactedRegions = [{ impactedRegion: "West Europe", impactedSubscriptions: ["id-1", "id-3"] }]
  return { name, properties: { ...properties, impact: [{ impactedService: "DNS", impactedRegions }] } }
}

/** A service whose subscriptions have an event each, and settings with their names. */
const scene = Effect.gen(function* () {
  const workspace = yield* makeWorkspace
  vi.stubEnv("HEALTH_ACCESS_TOKEN", "token")
  const { origin, requests } = yield* serveSubscriptions(({ target }) =>
    Reply.page(target.includes("attacker") ? [] : [impacting(), 7]),
  )
  workspace.write(workspace.user, JSON.stringify({ healthBaseUrl: origin, subscriptions }))
  const ids = Effect.map(requests, (all) => all.map(({ target }) => /subscriptions\/([^/]+)\//.exec(target)?.[1]))
  return { folder: workspace.folder, ids }
})

describe("names of subscriptions", () => {
  it.live("select subscriptions in flags, the environment and files, and never stand for another ID", () =>
    Effect.gen(function* () {
      const { folder, ids } = yield* scene
      const file = join(folder, "names")
      writeFileSync(file, "Prod #1\nTest / EU # in Europe\nid-1\n")
      expect((yield* run(["events", "list", "--subscriptions-file", file])).code).toBe(0)
      expect((yield* run(["events", "list", "-s", "test / eu", "-s", "id-1"])).code).toBe(0)
      vi.stubEnv("HEALTH_SUBSCRIPTION", "Prod #1")
      expect((yield* run("events list")).code).toBe(0)
      const ofSubscriptions = (yield* ids).filter((id) => id !== undefined)
      expect(ofSubscriptions.toSorted()).toEqual(["id-1", "id-1", "id-1", "id-2", "id-2"])
    }),
  )

  it.live("are printed for people, and IDs for programs", () =>
    Effect.gen(function* () {
      const { folder } = yield* scene
      const flags = ["-s", "id-1", "-s", "id-2", "-s", "other"]
      const table = yield* run(["events", "list", ...flags, "--columns", "subscription,trackingId"])
      expect(table.data.toSorted()).toEqual(["Prod #1, Test / EU, other\tA", "SUBSCRIPTION\tEVENT"])
      expect(table.notes).toContainEqual(expect.stringMatching(/^vigil: Test \/ EU \(id-2\): entry/))
      const csv = yield* run(["events", "list", ...flags, "--columns", "subscription", "-o", "csv"])
      expect(csv.data.toSorted()).toEqual(["id-1", "id-2", "other", "subscription"])
      const watch = ["events", "watch", "--once", ...flags]
      expect((yield* run(watch)).data.join("\n")).toContain("[Prod #1]")
      expect((yield* run([...watch, "-o", "jsonl"])).data.join("\n")).toContain(`"subscription":"id-1"`)
      expect((yield* run(["events", "show", "A", "-s", "id-1"])).data.join("\n")).toContain("Prod #1 (id-1), id-3")
      const report = join(folder, "report.html")
      expect((yield* run(["events", "report", "--out", report, "-s", "id-1"])).code).toBe(0)
      expect(readFileSync(report, "utf8")).toContain("Subscription Prod #1 (id-1)")
    }),
  )

  it.live("select routes, and are in messages", () =>
    Effect.gen(function* () {
      yield* scene
      const { received, routes } = yield* startReceiver()
      writeFileSync(
        routes,
        readFileSync(routes, "utf8").replace("- to", "- match: { subscription: test / eu }\n    to"),
      )
      const watch = ["events", "watch", "--once", "--routes", routes, "--public-url", "https://status.example"]
      expect((yield* run([...watch, "-s", "id-1", "-s", "id-2"])).code).toBe(0)
      expect(received).toMatchObject([
        { subscription: "id-2", subscriptionName: "Test / EU", link: "https://status.example/#event-A" },
      ])
    }),
  )
})
