import { readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import { Reply, World } from "@vigil/sandbox"
import * as Effect from "effect/Effect"
import { folder } from "../support/folder.js"
import { run } from "../support/run.js"
import { resourceService, serveSubscriptions, service, subscriptionService } from "../support/service.js"
import { idOf, status } from "../support/statuses.js"

const [first, second] = World.make({ now: 0 }).subscriptions

const report = (file: string, ...args: ReadonlyArray<string>) => run(["events", "report", "--out", file, ...args])

const text = (path: string) => readFileSync(path, "utf8")

describe("events report", () => {
  it.live("writes one file with the events of 90 days, and nothing on stdout", () =>
    Effect.gen(function* () {
      const inside = yield* folder
      const file = join(inside, "report.html")
      const { code, data, notes } = yield* report(file, "--sandbox")
      expect({ code, data }).toEqual({ code: 0, data: [] })
      const [, count] =
        /^Wrote ".*report\.html": (\d+) events of Production and Staging, the tenant and emerging issues, updated in the last 90d\. /.exec(
          notes[0] ?? "",
        ) ?? []
      expect(text(file)).toContain(`UTC, with ${count} events since`)
      expect(text(file)).toContain(`Subscriptions ${first.name} (${first.id}), ${second.name} (${second.id})`)
      expect(readdirSync(inside)).toEqual(["report.html"])
    }),
  )

  it.live("merges the events of several subscriptions, and removes duplicates", () =>
    Effect.gen(function* () {
      const file = join(yield* folder, "report.html")
      expect((yield* report(file, "--sandbox")).code).toBe(0)
      const names = [...text(file).matchAll(/<code class="id">([^<]*)/g)].map(([, name]) => name)
      expect(names.length).toBeGreaterThan(100)
      expect(new Set(names).size).toBe(names.length)
      const url = yield* service({ body: `{"value":[{"id":"A"},{"id":"A"},{"name":"x"},{"name":"x"}]}` })
      expect((yield* report(file, "-s", "x", "--base-url", url)).notes[0]).toContain("2 events")
    }),
  )

  it.live("says that the state of resources is unknown if they could not be read, and exits with 1", () =>
    Effect.gen(function* () {
      const file = join(yield* folder, "report.html")
      const { origin } = yield* serveSubscriptions(({ target }) =>
        target.includes("/availabilityStatuses") ? Reply.empty(404) : Reply.page([]),
      )
      const { code, notes } = yield* report(file, "-s", "a", "--base-url", origin, "--resources")
      expect([code, notes]).toEqual([
        1,
        [
          expect.stringMatching(/^vigil: resources: .*404/),
          expect.stringContaining("The state of resources is unknown. Resources of Subscription a could not be read."),
          "vigil: 1 of 1 subscription failed: see above.",
        ],
      ])
      expect(text(file)).toContain("The state of resources is unknown")
      const drawn = yield* run(`events timeline -s a --base-url ${origin} --resources`)
      expect([drawn.code, drawn.data.join(" ")]).toEqual([
        1,
        expect.stringContaining("The state of resources is unknown. Resources of Subscription a"),
      ])
    }),
  )

  it.live("reads the resources of at most 100 events, the most severe first, and names what it did not read", () =>
    Effect.gen(function* () {
      const file = join(yield* folder, "report.html")
      const event = (index: number, eventLevel = "Warning") => ({
        name: `AB12-${100 + index}`,
        properties: { eventType: "ServiceIssue", status: "Active", eventLevel },
      })
      const events = [
        ...Array.from({ length: 100 }, (_, index) => event(index)),
        event(100, "Critical"),
        { name: "x/y", properties: event(0).properties },
      ]
      const asked: Array<string> = []
      const { origin } = yield* serveSubscriptions(({ target }) => {
        const [, id] = /events\/([^/]+)\/impactedResources/.exec(target) ?? []
        if (id === undefined) return Reply.page(/\/events\?/.test(target) ? events : [])
        asked.push(id)
        return ["AB12-100", "AB12-101", "AB12-102", "AB12-103"].includes(id) ? Reply.empty(404) : Reply.page([])
      })
      const { code, notes } = yield* report(file, "-s", "a", "--base-url", origin, "--resources")
      expect([code, asked.length, asked.includes("AB12-200"), asked.includes("AB12-199")]).toEqual([
        1,
        100,
        true,
        false,
      ])
      expect(notes.slice(0, 2)).toEqual([
        expect.stringMatching(/^vigil: The impacted resources of AB12-100, AB12-101, AB12-102 and 1 more: .*404/),
        "vigil: The impacted resources of AB12-199 and x/y: Only those of 100 events are read.",
      ])
      expect(text(file)).toContain("The impacted resources of AB12-199 and x/y could not be read.")
    }),
  )

  it.live("judges resources by all active events, with each of their records, whatever flags select", () =>
    Effect.gen(function* () {
      const file = join(yield* folder, "report.html")
      const { properties, ...rest } = status("web", "Unavailable")
      const stopped = { ...rest, properties: { ...properties, reasonType: "UserInitiated" } }
      const issue = {
        id: "/A",
        name: "A",
        properties: { eventType: "ServiceIssue", status: "Active", title: "Outage" },
      }
      const review = { ...issue, properties: { eventType: "RCA", status: "Active" } }
      const resourcesOf = (events: ReadonlyArray<object>, ...flags: ReadonlyArray<string>) =>
        Effect.gen(function* () {
          const impacted = { x: [{ properties: { targetResourceId: idOf("web") } }] }
          const { origin } = yield* resourceService({ x: [stopped] }, { x: events }, impacted)
          const { notes } = yield* report(file, "--force", "--base-url", origin, "-s", "x", "--resources", ...flags)
          return notes.at(-1)
        })
      expect(yield* resourcesOf([])).toMatch(/: stopped by its owner/)
      const old = { ...issue, properties: { ...issue.properties, lastUpdateTime: "2020-01-01T00:00:00Z" } }
      for (const selection of [[], ["--since", "1d"], ["--level", "Critical"]]) {
        expect(yield* resourcesOf([], ...selection)).toMatch(/: stopped by its owner/)
        expect(yield* resourcesOf([old], ...selection)).toMatch(/: 0 events .* No issue that .*: 1 Unavailable/)
      }
      expect(yield* resourcesOf([review, issue])).toMatch(/: 1 Unavailable/)
    }),
  )

  it.live("keeps the other subscriptions if one fails, names it, and exits with 1", () =>
    Effect.gen(function* () {
      const file = join(yield* folder, "report.html")
      const event = { name: "A", properties: { title: "T", status: "Resolved" } }
      const { origin } = yield* subscriptionService({ a: [event], b: 404, d: 403 })
      const { code, notes } = yield* report(file, "-s", "a", "-s", "b", "--base-url", origin)
      expect([code, notes]).toEqual([
        1,
        [
          expect.stringMatching(/^vigil: b: .*404/),
          expect.stringMatching(
            /: 1 event of a, updated in the last 90d\. No issue is known to be active\. Subscription b could not be read\.$/,
          ),
          "vigil: 1 of 2 subscriptions failed: see above.",
        ],
      ])
      expect(text(file)).toMatch(/b could not be read\.[^]*Subscription b: [^]*404/)
      for (const [ids, exit] of [
        ["-s b", 5],
        ["-s b -s c", 5],
        ["-s b -s d", 1],
      ])
        expect(yield* run(`events report --out ${file}.none --base-url ${origin} ${ids}`)).toMatchObject({
          code: exit,
          notes: expect.not.arrayContaining([expect.stringContaining("Wrote")]),
        })
    }),
  )

  it.live("replaces an earlier report, and another file only with --force", () =>
    Effect.gen(function* () {
      const inside = yield* folder
      const [file, link] = [join(inside, "page.html"), join(inside, "link.html")]
      writeFileSync(file, "<!doctype html>mine")
      symlinkSync(file, link)
      const refused = yield* report(link, "--sandbox")
      expect(refused).toMatchObject({
        code: 2,
        notes: [expect.stringContaining("is not a report of vigil")],
      })
      expect(text(file)).toBe("<!doctype html>mine")
      expect(yield* report(inside, "--sandbox", "--force")).toMatchObject({ code: 2 })
      expect((yield* report(link, "--sandbox", "--force")).code).toBe(0)
      expect((yield* report(link, "--sandbox")).code).toBe(0)
      expect(text(file)).toContain("A report of vigil")
      expect(readdirSync(inside, { withFileTypes: true }).filter((one) => one.isSymbolicLink())).toHaveLength(1)
    }),
  )

  it.live("covers the time of --since, and leaves out invalid entries", () =>
    Effect.gen(function* () {
      const file = join(yield* folder, "report.html")
      const at = (age: number) => ({ lastUpdateTime: new Date(Date.now() - age).toISOString() })
      const value = [{ name: "A", properties: at(0) }, 42, { name: "B", properties: at(7_200_000) }]
      const url = yield* service({ body: JSON.stringify({ value }) })
      const { notes } = yield* report(file, "-r", "/subscriptions/x", "--base-url", url)
      expect(notes).toEqual([
        expect.stringContaining("entry 1"),
        expect.stringMatching(/: 2 events of the resource\. .* 1 entry could not be read\./),
      ])
      expect(text(file)).toContain("Resource /subscriptions/x")
      const hour = yield* report(file, "-s", "x", "--base-url", url, "--since", "1h")
      expect(hour.notes.at(-1)).toContain("1 event")
    }),
  )

  it.live("counts an event as active if its status is missing, empty or unknown", () =>
    Effect.gen(function* () {
      const statuses = [undefined, null, "", "InProgress", "Active ", "Resolved"]
      const value = statuses.map((status, id) => ({ id: `${id}`, properties: { eventType: "ServiceIssue", status } }))
      const file = join(yield* folder, "report.html")
      yield* report(file, "-s", "x", "--base-url", yield* service({ body: JSON.stringify({ value }) }))
      expect(text(file)).toContain("5 service issues are active")
    }),
  )

  it.live.each([
    ["", "--out"],
    ["--out x.html --since 2999-01-01", "is not in the past"],
    ["--out x.html -r /subscriptions/x -s y", "are mutually exclusive"],
  ] as const)("with %j is a usage error", ([flags, words]) =>
    Effect.gen(function* () {
      const { code, notes } = yield* run(`events report --sandbox ${flags}`)
      expect([code, notes]).toEqual([2, [expect.stringContaining(words)]])
    }),
  )
})
