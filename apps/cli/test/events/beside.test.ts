/** Events that no subscription has: those of the tenant, and emerging issues. */
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import { Reply } from "@vigil/sandbox"
import * as Effect from "effect/Effect"
import { afterEach, vi } from "vitest"
import { folder } from "../support/folder.js"
import { run } from "../support/run.js"
import { serveSubscriptions, type Shared } from "../support/service.js"

afterEach(() => void vi.unstubAllEnvs())

const idOf = (subscription: string, name: string) =>
  `/subscriptions/${subscription}/providers/Vendor.ResourceHealth/events/${name}`

const ofTenant = { id: "/providers/Vendor.ResourceHealth/events/T", name: "T", properties: { title: "Of the tenant" } }

const issue = { name: "default", properties: { statusActiveEvents: [{ trackingId: "E", title: "Emerging" }] } }

/** Subscriptions of the settings with the event `S` each. */
const scene = Effect.fnUntraced(function* (shared: Shared, subscriptions = "a") {
  const { origin, requests } = yield* serveSubscriptions(({ target }) => {
    const [, id = ""] = /subscriptions\/(\w+)\//.exec(target) ?? []
    if (/events\/\w/.test(target)) return Reply.json({ code: "EventNotFound" }, { status: 404 })
    return Reply.page([{ id: idOf(id, "S"), name: "S", properties: {} }])
  }, shared)
  vi.stubEnv("HEALTH_SUBSCRIPTION", subscriptions)
  vi.stubEnv("HEALTH_BASE_URL", origin)
  return requests
})

const parse = (data: ReadonlyArray<string>): ReadonlyArray<unknown> => data.map((line) => JSON.parse(line))

describe("events list", () => {
  it.live("lists the events of the tenant and emerging issues, and says so in tables", () =>
    Effect.gen(function* () {
      yield* scene({ tenant: [ofTenant, { ...ofTenant, name: "S" }], emergingIssues: [issue] })
      const one = yield* run("events list --columns subscription,event")
      expect(one.data.toSorted()).toEqual([
        "SUBSCRIPTION\tEVENT",
        "a\tS",
        "emerging issues\tE",
        "the tenant\tS",
        "the tenant\tT",
      ])
      expect(one.notes).toEqual(["4 events of a, the tenant and emerging issues on 3 pages, updated in the last 3d"])
      vi.stubEnv("HEALTH_SUBSCRIPTION", "a,b")
      const several = yield* run("events list --columns subscription,event")
      expect(several.data.toSorted()).toEqual([
        "SUBSCRIPTION\tEVENT",
        "a, b, the tenant\tS",
        "emerging issues\tE",
        "the tenant\tT",
      ])
    }),
  )

  it.live("prints the events of one subscription and of the tenant as sent, and of several with the scope", () =>
    Effect.gen(function* () {
      yield* scene({ tenant: [ofTenant] })
      const own = { id: idOf("a", "S"), name: "S", properties: {} }
      const one = yield* run("events list -o jsonl --limit 9")
      expect(parse(one.data)).toEqual([own, ofTenant])
      vi.stubEnv("HEALTH_SUBSCRIPTION", "a,b")
      const several = yield* run("events list -o jsonl --limit 9")
      expect(parse(several.data)).toEqual([
        { subscription: "a", event: own },
        { subscription: "b", event: { ...own, id: idOf("b", "S") } },
        { scope: "tenant", event: ofTenant },
      ])
    }),
  )

  it.live("reads only what flags and settings select", () =>
    Effect.gen(function* () {
      const requests = yield* scene({ tenant: [ofTenant], emergingIssues: [issue] })
      const listed = (flags: string) =>
        Effect.map(run(`events list -o jsonl ${flags}`), ({ data, notes }) => [
          parse(data)
            .map((event) => (event as { readonly name: string }).name)
            .toSorted()
            .join(""),
          /\(.*\)$/.exec(notes.at(-1) ?? "")?.[0],
        ])
      expect(yield* listed("-s a")).toEqual(["S", undefined])
      expect(yield* listed("--tenant-wide")).toEqual(["T", undefined])
      expect(yield* requests).toHaveLength(2)
      expect(yield* listed("--without-tenant")).toEqual(["ES", "(without the tenant)"])
      expect(yield* listed("--filter x")).toEqual(["ST", "(without emerging issues)"])
      vi.stubEnv("HEALTH_WITHOUT_TENANT", "1")
      expect(yield* listed("")).toEqual(["ES", "(without the tenant)"])
    }),
  )

  it.live("selects emerging issues by --since", () =>
    Effect.gen(function* () {
      const properties = { statusActiveEvents: [{ trackingId: "E", lastModifiedTime: "2020-01-01T00:00:00Z" }] }
      yield* scene({ emergingIssues: [{ name: "default", properties }, 7] })
      expect((yield* run("events list -o jsonl --limit 9")).data).toHaveLength(2)
      expect((yield* run("events list -o jsonl --limit 9 --since 2019-12-31")).data).toHaveLength(3)
    }),
  )

  it.live("resumes in the tenant, and continues a checkpoint file that has no list of it", () =>
    Effect.gen(function* () {
      const file = join(yield* folder, "place")
      yield* scene({ tenant: [ofTenant], emergingIssues: [issue] })
      const line = `events list -o jsonl --limit 1 --checkpoint-file ${file}`
      const names = ({ data }: { readonly data: ReadonlyArray<string> }) =>
        parse(data).map((event) => (event as { readonly name: string }).name)
      expect(names(yield* run(line))).toEqual(["S"])
      const saved = JSON.parse(readFileSync(file, "utf8")) as { readonly lists: ReadonlyArray<string> }
      expect(saved.lists).toEqual(["a", "", "/emergingIssues"])
      writeFileSync(file, JSON.stringify({ ...saved, lists: ["a"] }))
      expect(names(yield* run(line))).toEqual(["T"])
      const refused = yield* run(`${line} --without-tenant`)
      expect([refused.code, refused.notes.at(-1)]).toEqual([2, expect.stringContaining("belongs to another list")])
      expect(names(yield* run(line))).toEqual(["E"])
      expect(existsSync(file)).toBe(false)
    }),
  )
})

describe("events show and resources", () => {
  it.live("find an event of the tenant by its ID, and an emerging issue", () =>
    Effect.gen(function* () {
      yield* scene({ tenant: [ofTenant, { ...ofTenant, name: "S" }], emergingIssues: [issue] })
      const show = (id: string) => Effect.map(run(`events show ${id}`), ({ code, notes }) => [code, ...notes])
      expect(yield* show("T")).toEqual([0, "Found in the tenant"])
      expect(yield* show("S")).toEqual([0, "Found in a and the tenant"])
      expect(yield* show("e")).toEqual([0, "Found in emerging issues"])
    }),
  )

  it.live("list the resources of an event of the tenant and of subscriptions, each once", () =>
    Effect.gen(function* () {
      for (const [id, where, names] of [
        ["3HL6-QC8", "the tenant", ["Staging\tedge"]],
        ["D5VD-GHJ", "Production and the tenant", ["Production\tarchive", "Staging\timages"]],
      ] as const) {
        const { code, data, notes } = yield* run(`events resources ${id} --sandbox --columns subscription,name`)
        expect([code, data.slice(1).toSorted()]).toEqual([0, names])
        expect(notes).toEqual([`${names.length} resource${names.length === 1 ? "" : "s"} of ${where}`])
      }
    }),
  )
})

describe("a tenant or emerging issues that cannot be read", () => {
  const refused = (status: number) => Reply.json({ code: "Refused" }, { status })

  it.live.each([
    [401, "tenant", 0],
    [403, "tenant", 0],
    [404, "tenant", 0],
    [501, "tenant", 1],
    [401, "emergingIssues", 0],
    [403, "emergingIssues", 0],
    [501, "emergingIssues", 1],
  ] as const)("(%s, %s) are said once, beside each claim", ([status, name, exit]) =>
    Effect.gen(function* () {
      yield* scene({ [name]: refused(status) })
      const label = name === "tenant" ? "the tenant" : "emerging issues"
      for (const line of [
        "events list",
        "events list -o json",
        "events list -o jsonl --type Billing",
        "events show S",
        ...(name === "tenant" ? ["events resources S"] : []),
      ]) {
        const { code, notes } = yield* run(line)
        const lacking = notes.filter((note) => note.includes(`not of ${label}`))
        expect([line, code, lacking.length]).toEqual([line, exit, 1])
        expect(notes.filter((note) => note.includes(String(status)))).toHaveLength(1)
      }
      const unknown = yield* run("events show X")
      expect(unknown.code).toBe(exit === 0 ? 5 : exit)
      if (exit === 0) expect(unknown.notes.join()).toContain(`not of ${label}: The health service responded ${status}`)
    }),
  )

  it.live("(hanging) end a list after its time", () =>
    Effect.gen(function* () {
      yield* scene({ tenant: Reply.silent, emergingIssues: Reply.silent })
      const { code, data, notes } = yield* run("events list --list-timeout 1s -o jsonl")
      expect([code, data.length, notes.length]).toEqual([1, 1, 4])
      expect(notes[2]).toMatch(/^1 event of a on 1 page, .* \(not of the tenant; not of emerging issues\)$/)
      expect(notes[3]).toBe("vigil: The tenant and emerging issues failed: see above.")
    }),
  )

  it.live("decide nothing: all subscriptions failed", () =>
    Effect.gen(function* () {
      const { origin } = yield* serveSubscriptions(() => refused(403), { tenant: [ofTenant], emergingIssues: [issue] })
      vi.stubEnv("HEALTH_SUBSCRIPTION", "a,b")
      expect(yield* run(`events list -o json --base-url ${origin}`)).toMatchObject({ code: 4 })
      vi.stubEnv("HEALTH_SUBSCRIPTION", "a")
      for (const line of ["events list -o csv", "events show T"])
        expect((yield* run(`${line} --base-url ${origin}`)).code).toBe(4)
    }),
  )
})

it.live("events watch says once what it does not watch, unless flags select", () =>
  Effect.gen(function* () {
    yield* scene({})
    const watched = (yield* run("events watch --once")).notes
    expect(watched.filter((note) => note.includes("without the tenant and emerging issues"))).toHaveLength(1)
    expect((yield* run("events watch --once -s a")).notes).toEqual([])
  }),
)
