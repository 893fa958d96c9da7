import { describe, expect, it } from "@effect/vitest"
import { Reply, World } from "@vigil/sandbox"
import { parse as parseCsv } from "csv-parse/sync"
import * as Effect from "effect/Effect"
import { run } from "../support/run.js"
import { serveSubscriptions } from "../support/service.js"

const [first] = World.make({ now: 0 }).subscriptions

/** An event with every field. */
const whole = {
  id: "/providers/Vendor.ResourceHealth/events/AB12-CD3",
  name: "AB12-CD3",
  type: "/providers/Vendor.ResourceHealth/events",
  undeclared: { deep: [1] },
  properties: {
    title: "Storage: 503 responses",
    eventType: "ServiceIssue",
    eventSubType: "Retirement",
    eventLevel: "Critical",
    status: "Active",
    isHIR: true,
    priority: 1,
    duration: 5400,
    eventTags: ["Action Recommended", "Final PIR"],
    impactStartTime: "2026-03-10T11:00:00.1203530Z",
    impactMitigationTime: "0001-01-01T00:00:00",
    lastUpdateTime: "2026-03-10T12:30:00",
    summary: "Requests <b>fail</b>.",
    description: `<p>Read the <a href="https://docs.example/x">guide</a>.</p><ul><li>One.</li></ul>`,
    impact: [
      {
        impactedService: "Storage",
        impactedRegions: [
          {
            impactedRegion: "West Europe",
            status: "Active",
            lastUpdateTime: "2026-03-10T12:30:00Z",
            impactedSubscriptions: ["sub-1", "sub-2"],
            updates: [
              { summary: "Without a time." },
              { summary: "<i>Found</i> the cause.", updateDateTime: "2026-03-10T11:30:00Z" },
              { summary: "Mitigating.", updateDateTime: "2026-03-10T12:30:00Z", eventTags: ["Preliminary PIR"] },
            ],
          },
          { impactedRegion: null },
        ],
      },
      {},
    ],
    recommendedActions: { message: "Meanwhile", actions: [{ actionText: "Retry with <b>back-off</b>." }, {}] },
    faqs: [{ question: "Is my data safe?", answer: "Yes." }],
    links: [
      {
        displayText: { value: "Review", localizedValue: "Bericht" },
        bladeName: "Blade",
        extensionName: "Ext",
        parameters: { a: "False", b: 1 },
      },
      {},
    ],
    advisorRecommendations: { httpMethod: "GET", url: "https://a.example/b?c", description: "Lists advice." },
    article: {
      articleId: "AB12-CD3-1",
      articleContent: "<h2>What?</h2><p>This.</p>",
    },
  },
}

const text = `Storage: 503 responses
AB12-CD3, ServiceIssue (Retirement), Critical, Active

Impact start          2026-03-10 11:00 UTC
Impact end            not yet
Last update           2026-03-10 12:30 UTC
High incident rate    yes
Priority              1 (0 is the highest, 23 the lowest)
Duration              1h 30m
Event tags            Action Recommended, Final PIR
Id                    /providers/Vendor.ResourceHealth/events/AB12-CD3
Undeclared            {"deep":[1]}

Summary
  Requests fail.

Description
  Read the guide (https://docs.example/x).

  - One.

Impact
  Storage
    West Europe, Active, updated 2026-03-10 12:30 UTC
      Subscriptions: sub-1, sub-2
    Unknown region
  Unknown service

Updates
  2026-03-10 12:30 UTC, West Europe, Preliminary PIR
    Mitigating.
  2026-03-10 11:30 UTC, West Europe
    Found the cause.
  At an unknown time, West Europe
    Without a time.

Recommended actions
  Meanwhile
  - Retry with back-off.

Advisor recommendations
  Lists advice.
  - GET https://a.example/b?c

Questions
  Is my data safe?
    Yes.

In the portal
  - Bericht

Article AB12-CD3-1
  What?

  This.`

const page = (...value: ReadonlyArray<unknown>) =>
  Effect.map(serveSubscriptions([Reply.page(value)]), ({ origin }) => origin)

describe("events show", () => {
  it.live("prints an event in full, with the latest updates first, and HTML as plain text", () =>
    Effect.gen(function* () {
      const url = yield* page({ name: "OTHER" }, whole)
      const { code, data, notes } = yield* run(`events show ab12-cd3 -s x --base-url ${url}`)
      expect({ code, notes }).toEqual({ code: 0, notes: ["Found in x"] })
      expect(data.join("\n")).toBe(text)
    }),
  )

  it.live("prints the response with json and jsonl, and a record with csv", () =>
    Effect.gen(function* () {
      const url = yield* page(whole)
      const show = (format: string) =>
        Effect.map(run(`events show AB12-CD3 -s x --base-url ${url} -o ${format}`), ({ data }) => data.join("\n"))
      expect(JSON.parse(yield* show("json"))).toEqual(whole)
      expect(JSON.parse(yield* show("jsonl"))).toEqual(whole)
      expect(parseCsv(yield* show("csv"), { columns: true })).toEqual([
        expect.objectContaining({ trackingId: "AB12-CD3", title: "Storage: 503 responses", priority: "1" }),
      ])
    }),
  )

  it.live("prints an event without properties", () =>
    Effect.gen(function* () {
      const url = yield* page({
        name: "E",
        properties: { impactStartTime: "", status: null, article: {}, links: null },
      })
      const { data } = yield* run(`events show E -s x --base-url ${url}`, { color: true })
      expect(data).toEqual(["\u001b[1mAn event without a title\u001b[0m", "E", ""])
    }),
  )

  it.live("searches from --since on, and names it in the error", () =>
    Effect.gen(function* () {
      const all = yield* run("events list --sandbox -s Production -o jsonl --since 60d")
      const { name } = JSON.parse(all.data.at(-1) ?? "") as { readonly name: string }
      // The service returns single events of any age.
      expect((yield* run(`events show ${name} --sandbox`)).code).toBe(0)
      const unknown = yield* run("events show NOPE-123 --sandbox")
      expect(unknown).toMatchObject({ code: 5, data: [] })
      expect(unknown.notes).toEqual([
        expect.stringMatching(
          /No event "NOPE-123" of Production and Staging, the tenant and emerging issues was updated in the last 3d\. Pass an earlier --since, such as 90d\. /,
        ),
      ])
      expect((yield* run("events show NOPE-123 --sandbox --since 90d")).notes[0]).not.toContain("earlier")
      const middle = yield* run(`events show ${name} --sandbox --since 4d`)
      expect(middle.code).toBe(5)
      expect(middle.notes[0]).toContain("in the last 4d")
      const far = yield* run(`events show --sandbox --since 61d ${name} -s ${first.id}`)
      expect(far.code).toBe(0)
      expect(far.data.join("\n")).toContain(name)
    }),
  )

  it.live("says why an entry with that name is invalid", () =>
    Effect.gen(function* () {
      const url = yield* page({ name: "A", properties: { priority: 99 } })
      const { code, notes } = yield* run(`events show A -s x --base-url ${url}`)
      expect(code).toBe(7)
      expect(notes).toEqual([expect.stringContaining("properties.priority")])
    }),
  )

  it.live.each([
    ["a/b --sandbox", `<id> "a/b" is invalid`],
    ["AB12-CD3 --sandbox --since soon", `--since "soon" is invalid`],
    ["AB12-CD3 --sandbox --details --since 3d", "--details and --since are mutually exclusive"],
    ["AB12-CD3 --base-url http://127.0.0.1:1", "No subscription is configured"],
  ] as const)("with %s is a usage error", ([args, words]) =>
    Effect.gen(function* () {
      const { code, data, notes } = yield* run(`events show ${args}`)
      expect({ code, data, notes }).toEqual({ code: 2, data: [], notes: [expect.stringContaining(words)] })
    }),
  )
})

describe("events show of several subscriptions", () => {
  const copy = (region: string) => ({
    name: "A",
    properties: { impact: [{ impactedService: "DNS", impactedRegions: [{ impactedRegion: region }] }] },
  })

  it.live.each([[""], ["--details"]] as const)(
    "merges an event that several have, and says which ones; one that fails is named (%s)",
    ([flag]) =>
      Effect.gen(function* () {
        const serve = (broken: ReadonlyArray<string>) =>
          serveSubscriptions(({ target }) => {
            const [, id = ""] = /subscriptions\/(\w+)\//.exec(target) ?? []
            if (broken.includes(id)) return Reply.json({ code: "Denied" }, { status: 403 })
            if (!/\/events\/A/.test(target)) return Reply.page([])
            return id === "x" || id === "y"
              ? Reply.json(copy(id))
              : Reply.json({ code: "EventNotFound" }, { status: 404 })
          })
        const show = (origin: string, ids: string) => run(`events show A ${flag} --base-url ${origin} ${ids} -o json`)
        const all = yield* serve([])
        const found = yield* show(all.origin, "-s n -s x -s y")
        expect([found.code, found.notes]).toEqual([0, ["Found in 2 subscriptions"]])
        expect(JSON.parse(found.data.join("\n"))).toMatchObject({
          properties: { impact: [{ impactedRegions: [{ impactedRegion: "x" }, { impactedRegion: "y" }] }] },
        })
        expect(yield* show(all.origin, "-s n -s m")).toMatchObject({
          code: 5,
          data: [],
          notes: [expect.stringContaining(`No event "A" of 2 subscriptions`)],
        })
        const some = yield* serve(["n"])
        expect(yield* show(some.origin, "-s n -s y")).toMatchObject({
          code: 1,
          notes: [
            expect.stringMatching(/^vigil: n: .*403/),
            "Found in y",
            "vigil: 1 of 2 subscriptions failed: see above.",
          ],
        })
        expect((yield* show(some.origin, "-s n -s m")).code).toBe(1)
        expect((yield* show(some.origin, "-s n")).code).toBe(4)
      }),
  )
})

describe("events show --details", () => {
  it.live("prints the withheld texts, as events show explains", () =>
    Effect.gen(function* () {
      const shown = yield* run("events show KJHV-M8Z --sandbox")
      const command = "vigil events show KJHV-M8Z --details"
      expect(shown.data.join("\n")).toMatch(new RegExp(`Withheld\n.*description, summary, updates.*${command}`))
      const note = (yield* run("events show KJHV-M8Z --sandbox -o json")).notes
      expect(note).toEqual([
        expect.stringMatching(new RegExp(`${command} --subscription \\S+ --sandbox$`)),
        expect.stringMatching(/^Found in /),
      ])
      const { code, data } = yield* run("events show KJHV-M8Z --sandbox --details")
      expect(code).toBe(0)
      expect(data.join("\n")).toMatch(/^Summary\n {2}We found[^]*^Description\n {2}Between two releases/m)
      expect(data.join("\n")).not.toContain("Withheld")
    }),
  )

  it.live("sends one POST request, and fails with its status", () =>
    Effect.gen(function* () {
      const server = yield* serveSubscriptions([Reply.json({}, { status: 403 })])
      const { code, data } = yield* run(
        `events show AB12-CD3 --details -s x --base-url ${server.origin} --api-version 2025-04-01`,
      )
      expect([code, data]).toEqual([4, []])
      expect((yield* server.requests).map(({ method, target }) => `${method} ${target}`)).toEqual([
        "POST /subscriptions/x/providers/Vendor.ResourceHealth/events/AB12-CD3/fetchEventDetails?api-version=2025-04-01",
      ])
    }),
  )
})
