import { describe, expect, it } from "@effect/vitest"
import { Faults, Reply } from "@vigil/sandbox"
import * as Effect from "effect/Effect"
import { afterEach, vi } from "vitest"
import { run } from "../support/run.js"
import { resourceService, type Shared } from "../support/service.js"
import { idOf, status } from "../support/statuses.js"
import { makeWorkspace } from "../support/workspace.js"

afterEach(() => {
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
})

const list = (origin: string, flags = "-s x") => run(`resources list --base-url ${origin} ${flags}`)

describe("vigil resources list", () => {
  it.live(
    "lists every subscription of the settings, what does not work first, and counts what is not available in all of them",
    () =>
      Effect.gen(function* () {
        const workspace = yield* makeWorkspace
        vi.stubEnv("HEALTH_ACCESS_TOKEN", "token")
        const { origin } = yield* resourceService({
          "id-1": [status("web", "Unavailable", "id-1")],
          "id-2": [status("web", "Available", "id-2"), status("db", "new state", "id-2")],
          "id-3": [status("web", "Available", "id-3")],
        })
        const settings = {
          healthBaseUrl: origin,
          subscription: "id-3",
          subscriptions: { Prod: "id-1", Test: "id-2", Own: "ID-3" },
        }
        workspace.write(workspace.user, JSON.stringify(settings))
        const { code, data, notes } = yield* run("resources list")
        expect([code, data[0], ...data.slice(1).toSorted()]).toEqual([
          0,
          "SUBSCRIPTION\tSTATE\tSINCE (UTC)\tREASON\tTYPE\tNAME\tEVENT\tWHY",
          "Own\tAvailable\t2026-03-10 11:00\t\tVendor.Sql/servers\tweb\t\t",
          "Prod\tUnavailable\t2026-03-10 11:00\tplatform\tVendor.Sql/servers\tweb\t\tSummary of web",
          "Test\tAvailable\t2026-03-10 11:00\t\tVendor.Sql/servers\tweb\t\t",
          "Test\tnew state\t2026-03-10 11:00\tplatform\tVendor.Sql/servers\tdb\t\tSummary of db",
        ])
        expect(data.map((line) => line.split("\t")[1])).toEqual([
          "STATE",
          "Unavailable",
          "new state",
          "Available",
          "Available",
        ])
        expect(notes).toEqual([
          expect.stringMatching(/^In Own and 2 more, 2 of 4 resources are not available: 1 Unavailable and 1 Other$/),
          "Next: vigil why web --subscription Prod",
        ])
        expect((yield* run("resources list -s Test")).data).toHaveLength(3)
      }),
  )

  it.live("notes a subscription that fails, lists the others, and exits with 1", () =>
    Effect.gen(function* () {
      const { origin } = yield* resourceService({ x: [status("web", "Available")], y: 403 })
      const { code, data, notes } = yield* list(origin, "-s x -s y")
      expect([code, data.length]).toEqual([1, 2])
      expect(notes).toEqual([
        expect.stringMatching(/^vigil: y: .*403/),
        "Only 1 of 2 subscriptions could be read, 0 of 1 resource is not available",
        "vigil: 1 of 2 subscriptions failed: see above.",
      ])
      expect((yield* list(origin, "-s y")).code).toBe(4)
    }),
  )

  it.live("says how to explain the worst resource: by its name or ID, of the same service", () =>
    Effect.gen(function* () {
      const other = { ...status("web", "Available"), id: status("web", "Available").id.replace("servers", "pools") }
      const broken = status("it's", "Unavailable", "y")
      const { origin } = yield* resourceService({ x: [status("web", "Degraded"), other], y: [broken], z: [other] })
      const nextOf = (flags: string) => Effect.map(list(origin, flags), ({ notes }) => notes.at(-1))
      expect(yield* nextOf("-s x")).toMatch(/^Next: vigil why \/subscriptions\/x\/.*\/servers\/web --base/)
      const version = "--api-version 2025-05-01"
      expect(yield* nextOf(`-s x -s y ${version}`)).toBe(
        `Next: vigil why "it's" --subscription y --base-url ${origin} ${version}`,
      )
      expect(yield* nextOf("-s x -s y --state Degraded")).toMatch(/\/web --base/)
      expect(yield* nextOf("-s y -o csv")).toMatch(/^In y/)
      expect(yield* nextOf("-s z")).toMatch(/^In z/)
      vi.stubEnv("HEALTH_SUBSCRIPTION", "y")
      expect(yield* nextOf("")).toBe(`Next: vigil why "it's" --base-url ${origin}`)
    }),
  )

  it.live("names the events that explain states on a terminal, if there are any", () =>
    Effect.gen(function* () {
      const { properties, ...rest } = status("web", "Unavailable")
      const explained = { ...rest, properties: { ...properties, healthEventId: "AB12-CD3" } }
      const { origin } = yield* resourceService({ x: [explained], y: [status("db", "Degraded")] })
      const lines = (id: string) =>
        Effect.map(run(`resources list --base-url ${origin} -s ${id}`, { width: 80 }), ({ data }) => data.join("\n"))
      expect(yield* lines("x")).toMatch(/ EVENT .*\n.* AB12-CD3 /)
      expect(yield* lines("y")).not.toMatch(/EVENT/)
    }),
  )

  it.live("explains states by the events of each subscription, and exits with 1 if those of one can't be read", () =>
    Effect.gen(function* () {
      const stopped = (id: string) => {
        const { properties, ...rest } = status("web", "Unavailable", id)
        return { ...rest, properties: { ...properties, reasonType: "UserInitiated" } }
      }
      const event = { name: "AB12-CD3", properties: { eventType: "ServiceIssue", status: "Active", title: "Outage" } }
      const statuses = { x: [stopped("x")], y: [stopped("y")], z: [stopped("z")] }
      const impacted = { x: [{ properties: { targetResourceId: idOf("web", "x") } }] }
      const { origin } = yield* resourceService(statuses, { x: [event], y: [], z: 403 }, impacted)
      const columns = "--columns reason,trackingId,subscription -o csv"
      const all = yield* list(origin, `-s x -s y ${columns}`)
      expect([all.code, ...all.data.slice(1).toSorted()]).toEqual([
        0,
        '"platform, and own action (UserInitiated)",AB12-CD3,x',
        "own action (UserInitiated),,y",
      ])
      const failed = yield* list(origin, `-s y -s z ${columns}`)
      expect([failed.code, ...failed.data.slice(1).toSorted()]).toEqual([
        1,
        '"own action, perhaps more (UserInitiated)",,z',
        "own action (UserInitiated),,y",
      ])
      expect(failed.notes[0]).toMatch(/^vigil: z, events: .*403/)
    }),
  )

  it.live.each<
    readonly [code: number, lacks: RegExp, reason: string, tenant: NonNullable<Shared["tenant"]>, flags: string]
  >([
    [0, / \(not of the tenant: .*403.*\)$/, "own action, perhaps more", Reply.empty(403), ""],
    [0, / \(not of the tenant: .*404.*\)$/, "own action, perhaps more", Reply.empty(404), ""],
    [0, / \(not of the tenant: .*401.*\)$/, "own action, perhaps more", Reply.empty(401), ""],
    [1, / \(not of the tenant\)$/, "own action, perhaps more", Reply.empty(418), ""],
    [0, / \(without the tenant\)$/, "own action", Reply.empty(403), "--without-tenant"],
    [0, /stopped by its owner$/, "own action", [], ""],
  ])("exits with %d, says %s and %s", ([code, lacks, reason, tenant, flags]) =>
    Effect.gen(function* () {
      const { properties, ...rest } = status("web", "Unavailable")
      const stopped = { ...rest, properties: { ...properties, reasonType: "UserInitiated" } }
      const { origin } = yield* resourceService({ x: [stopped] }, { x: [] }, {}, { tenant })
      const found = yield* list(origin, `-s x --columns reason -o csv ${flags}`)
      expect([found.code, found.data[1]]).toEqual([code, expect.stringContaining(`${reason} (UserInitiated)`)])
      expect(found.notes.find((note) => note.startsWith("In x"))).toMatch(lacks)
      // A failure is also noted, and why the exit code is 1.
      expect(found.notes).toHaveLength(code === 0 ? 1 : 3)
    }),
  )

  it.live("explains states by the events of the tenant and by emerging issues", () =>
    Effect.gen(function* () {
      const event = { name: "AB12-CD3", properties: { eventType: "ServiceIssue", status: "Active", title: "Outage" } }
      const impacted = Reply.page([{ properties: { targetResourceId: idOf("web") } }])
      const { origin } = yield* Faults.serve(({ target }) => {
        if (/AB12-CD3/.test(target)) return impacted
        if (/availabilityStatuses/.test(target)) return Reply.page([{ ...status("web", "Unknown"), properties: {} }])
        return Reply.page(/^\/providers\/Vendor.ResourceHealth\/events/.test(target) ? [event] : [])
      })
      const { data } = yield* list(origin, "-s x --columns reason,trackingId -o csv")
      expect(data[1]).toBe("platform,AB12-CD3")
    }),
  )

  it.live("counts the active events that name no resource, and are in the region of one", () =>
    Effect.gen(function* () {
      const event = (name: string, region: string, state = "Active") => {
        const impact = [{ impactedRegions: [{ impactedRegion: region, status: state }] }]
        return { name, properties: { eventType: "ServiceIssue", status: state, impact } }
      }
      const events = [event("A", "West Europe"), event("B", "East US"), event("C", "West Europe", "Resolved")]
      const { origin } = yield* resourceService({ x: [status("db", "Available")] }, { x: events }, { x: [] })
      expect((yield* list(origin, "-s x -o csv")).notes).toEqual([
        "In x, 0 of 1 resource is not available",
        "1 more event is active in their services and regions: A",
      ])
    }),
  )

  it.live("selects resources, and counts all of them", () =>
    Effect.gen(function* () {
      const { origin } = yield* resourceService({ x: [status("web", "Degraded"), status("db", "Available")] })
      const rest = "All of x: 1 of 2 resources is not available: 1 Degraded"
      for (const [flags, names, ...notes] of [
        ["--state degraded", ["web"], `1 resource shown. ${rest}`],
        ["--type vendor.sql/servers --group SHOP --name db", ["db"], `1 resource shown. ${rest}`],
        [
          "--type Vendor.Sql/server",
          [],
          `vigil: No listed resource has the type "Vendor.Sql/server". Did you mean "Vendor.Sql/servers"?`,
          `0 resources shown. ${rest}`,
        ],
      ] as const)
        expect(yield* list(origin, `-s x ${flags} --columns name -o csv`)).toMatchObject({
          code: 0,
          data: ["name", ...names],
          notes,
        })
    }),
  )

  it.live("shows and counts a resource once that a list has twice, with the status that was reported later", () =>
    Effect.gen(function* () {
      const at = (state: string, hour: number) => {
        const { properties, ...rest } = status("web", state)
        return { ...rest, properties: { ...properties, reportedTime: `2026-03-10T${hour}:00:00Z` } }
      }
      const moved = { ...at("Unavailable", 13), id: at("", 13).id.toUpperCase() }
      const states = (...all: ReadonlyArray<object>) =>
        Effect.gen(function* () {
          const { origin } = yield* resourceService({ x: all })
          const { data, notes } = yield* list(origin, "-s x --type Vendor.Sql/servers --columns state -o csv")
          return [...data.slice(1), ...notes]
        })
      const one = "1 resource shown. All of x: 1 of 1 resource is not available: 1 Unavailable"
      expect(yield* states(moved, at("Degraded", 12))).toEqual(["Unavailable", one])
      expect(yield* states(at("Degraded", 12), moved)).toEqual(["Unavailable", one])
    }),
  )

  it.live("prints JSON as sent, with invalid entries, and fails if all are invalid", () =>
    Effect.gen(function* () {
      const all = [7, { ...status("web", "Available"), extra: 1 }]
      const { origin } = yield* resourceService({ x: all, y: [7] })
      const { code, data, notes } = yield* list(origin, "-s x -o json")
      expect([code, JSON.parse(data.join("\n"))]).toEqual([0, all])
      expect(notes).toEqual([
        expect.stringContaining("entry 0 of page 1 is not a status"),
        "In x, 0 of 1 resource is not available; 1 invalid entry printed as sent",
      ])
      expect(yield* list(origin, "-s y")).toMatchObject({
        code: 7,
        notes: expect.arrayContaining([expect.stringContaining("Run vigil resources list --output json")]),
      })
    }),
  )

  it.live.each<readonly [flags: string, words: string]>([
    ["--state Unavailible", "Did you mean Unavailable?"],
    ["--once", "--once requires --watch."],
    ["--watch --output csv", "pass --output jsonl"],
    ["--watch --columns name", "mutually exclusive"],
  ])("refuses %s", ([flags, words]) =>
    Effect.gen(function* () {
      const ended = yield* list("http://127.0.0.1:1", `-s x ${flags}`)
      expect(ended).toMatchObject({ code: 2, data: [], notes: [expect.stringContaining(words)] })
    }),
  )
})
