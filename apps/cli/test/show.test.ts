import { describe, expect, it } from "@effect/vitest"
import { Faults, Reply, World } from "@vigil/sandbox"
import { parse as parseCsv } from "csv-parse/sync"
import * as Effect from "effect/Effect"
import stringWidth from "string-width"
import { parse as parseYaml } from "yaml"
import { run } from "./run.js"
import { service } from "./service.js"

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
    enableMicrosoftSupport: true,
    priority: 1,
    duration: 5400,
    eventTags: ["Action Recommended", "Final PIR"],
    impactStartTime: "2026-03-10T11:00:00.1203530Z",
    impactMitigationTime: "0001-01-01T00:00:00",
    lastUpdateTime: "2026-03-10T12:30:00",
    impactedResourcesCount: 7,
    summary: "Requests <b>fail</b>.",
    description: `<p>Read the <a href="https://docs.example/x">guide</a>.</p><ul><li>One.</li></ul>`,
    additionalInformation: { message: "More to come." },
    impact: [
      {
        impactedService: "Storage",
        impactedServiceGuid: "guid-1",
        impactedRegions: [
          {
            impactedRegion: "West Europe",
            status: "Active",
            lastUpdateTime: "2026-03-10T12:30:00Z",
            impactedSubscriptions: ["sub-1", "sub-2"],
            impactedTenants: ["tenant-1"],
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
    article: {
      articleId: "AB12-CD3-1",
      articleContent: "<h2>What?</h2><p>This.</p>",
      parameters: { severity: "high" },
    },
  },
}

const text = `Storage: 503 responses
AB12-CD3, ServiceIssue (Retirement), Critical, Active

Impact start          2026-03-10 11:00 UTC
Impact end            not yet
Last update           2026-03-10 12:30 UTC
High incident rate    yes
Microsoft support     yes
Priority              1 (0 is the highest, 23 the lowest)
Duration              1h 30m
Event tags            Action Recommended, Final PIR
Impacted resources count
                      7
Id                    /providers/Vendor.ResourceHealth/events/AB12-CD3
Undeclared            {"deep":[1]}

Summary
  Requests fail.

Description
  Read the guide (https://docs.example/x).

  - One.

Additional information
  More to come.

Impact
  Storage (guid-1)
    West Europe, Active, updated 2026-03-10 12:30 UTC
      Subscriptions: sub-1, sub-2
      Tenants: tenant-1
      2026-03-10 12:30 UTC, Preliminary PIR
        Mitigating.
      2026-03-10 11:30 UTC
        Found the cause.
      at an unknown time
        Without a time.
    Unknown region
  Unknown service

Recommended actions
  Meanwhile
  - Retry with back-off.

Questions
  Is my data safe?
    Yes.

Links
  - Bericht (Blade of Ext; a=False, b=1)
  - Link

Article AB12-CD3-1
  What?

  This.
  Parameters: severity=high`

const page = (...value: ReadonlyArray<unknown>) =>
  Effect.map(
    // A service without the operation for impacted resources.
    Faults.serve(({ target }) => (target.includes("/impactedResources") ? Reply.empty(404) : Reply.page(value))),
    ({ origin }) => origin,
  )

const sensitive = (name: string) => ({ name, properties: { isEventSensitive: true, title: "Hush" } })

describe("events show", () => {
  it.scopedLive("prints an event in full, with the latest updates first, and HTML as plain text", () =>
    Effect.gen(function* () {
      const url = yield* page({ name: "OTHER" }, whole)
      const { code, data, notes } = yield* run(`events show ab12-cd3 -s x --base-url ${url}`)
      expect({ code, notes }).toEqual({ code: 0, notes: [] })
      expect(data.join("\n")).toBe(text)
    }),
  )

  it.scopedLive.each([
    [["a", 1], `["a",1]`],
    ["a text", "a text"],
    [false, "false"],
    [null, undefined],
  ] as const)("prints the parameters %j", ([parameters, shown]) =>
    Effect.gen(function* () {
      const properties = {
        article: { articleContent: "Text", parameters },
        links: [{ bladeName: "Blade", parameters }],
      }
      const url = yield* page({ name: "AB12-CD3", properties })
      const { data } = yield* run(`events show AB12-CD3 -s x --base-url ${url}`)
      const lines =
        shown === undefined ? ["  - Blade (Blade)"] : [`  - Blade (Blade; ${shown})`, `  Parameters: ${shown}`]
      expect(data.filter((line) => /Blade|Parameters/.test(line))).toEqual(lines)
    }),
  )

  it.scopedLive("prints the response with json, jsonl and yaml, and a record with csv", () =>
    Effect.gen(function* () {
      const url = yield* page(whole)
      const show = (format: string) =>
        Effect.map(run(`events show AB12-CD3 -s x --base-url ${url} -o ${format}`), ({ data }) => data.join("\n"))
      expect(JSON.parse(yield* show("json"))).toEqual(whole)
      expect(JSON.parse(yield* show("jsonl"))).toEqual(whole)
      expect(parseYaml(yield* show("yaml"))).toEqual(whole)
      expect(parseCsv(yield* show("csv"), { columns: true })).toEqual([
        expect.objectContaining({ trackingId: "AB12-CD3", title: "Storage: 503 responses", priority: "1" }),
      ])
    }),
  )

  it.scopedLive.each([[40], [72], [120]] as const)("fits a terminal of %i columns", ([width]) =>
    Effect.gen(function* () {
      const url = yield* page({
        ...whole,
        properties: { ...whole.properties, title: "漢字".repeat(40), [`${"long".repeat(30)}`]: "x".repeat(200) },
      })
      const { data } = yield* run(`events show AB12-CD3 -s x --base-url ${url}`, { width })
      const wide = data.filter((line) => stringWidth(line) > width && !line.includes("https://"))
      expect(wide).toEqual([])
    }),
  )

  it.scopedLive("has headings and its level in color on a terminal with color", () =>
    Effect.gen(function* () {
      const url = yield* page(whole)
      const { data } = yield* run(`events show AB12-CD3 -s x --base-url ${url}`, { color: true })
      expect(data[0]).toBe("\u001b[1mStorage: 503 responses\u001b[0m")
      expect(data[1]).toBe("\u001b[31mAB12-CD3, ServiceIssue (Retirement), Critical, Active\u001b[0m")
      // oxlint-disable-next-line no-control-regex -- Colors are control sequences.
      expect(data.join("\n").replaceAll(/\u001b\[\d+m/g, "")).toBe(text)
    }),
  )

  it.scopedLive("removes control characters from every field", () =>
    Effect.gen(function* () {
      const evil = "a\u001b[2Jb\u001b]8;;http://evil\u0007c\r\u0008\u202ed\u200be\ud800<b>&#27;[31m&#8238;f</b>\u009b1m"
      const poison = (value: unknown): unknown => {
        if (typeof value === "string") return /^\d{4}-/.test(value) ? value : evil
        if (Array.isArray(value)) return value.map(poison)
        return typeof value === "object" && value !== null
          ? Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, poison(inner)]))
          : value
      }
      const url = yield* page({
        ...whole,
        name: "AB12-CD3",
        properties: { ...(poison(whole.properties) as object), [evil]: evil },
      })
      const { code, data } = yield* run(`events show AB12-CD3 -s x --base-url ${url}`, { width: 60 })
      expect(code).toBe(0)
      expect(data.length).toBeGreaterThan(30)
      expect(data.join("")).not.toMatch(/\p{Cc}|[\u200b\u2028\u2029\u202a-\u202e\u2066-\u2069]|\p{Cs}/u)
    }),
  )

  it.scopedLive("prints an event without properties", () =>
    Effect.gen(function* () {
      const url = yield* page({
        name: "E",
        properties: { impactStartTime: "", status: null, article: {}, links: null },
      })
      const { data } = yield* run(`events show E -s x --base-url ${url}`)
      expect(data).toEqual(["An event without a title", "E", ""])
    }),
  )

  it.scopedLive("says how to print withheld texts", () =>
    Effect.gen(function* () {
      const url = yield* page(sensitive("S1"))
      const table = yield* run(`events show S1 -s x --base-url ${url}`)
      expect(table.data.join("\n")).toContain(
        "Withheld\n  Lists withhold the description, summary, updates of this sensitive event. To show all texts, run vigil events details S1",
      )
      expect(table.notes).toEqual([])
      const json = yield* run(`events show S1 -s x --base-url ${url} -o json`)
      expect(json.notes).toEqual(["vigil: lists withhold texts of this sensitive event: run vigil events details S1"])
    }),
  )

  it.live("searches from --since on, and names it in the error", () =>
    Effect.gen(function* () {
      const all = yield* run("events list --sandbox -o jsonl --since 60d")
      const { name } = JSON.parse(all.data.at(-1) ?? "") as { readonly name: string }
      // The service returns single events of any age.
      expect((yield* run(`events show ${name} --sandbox`)).code).toBe(0)
      const unknown = yield* run("events show NOPE-123 --sandbox")
      expect(unknown).toMatchObject({ code: 5, data: [] })
      expect(unknown.notes).toEqual([
        `vigil: No event "NOPE-123" was updated in the last three days. Pass an earlier --since, such as 90d, or check the ID and the subscription with vigil events list.`,
      ])
      const middle = yield* run(`events show ${name} --sandbox --since 4d`)
      expect(middle.code).toBe(5)
      expect(middle.notes[0]).toContain("updated in the last 4d. Pass an earlier --since")
      const far = yield* run(`events show --sandbox --since 61d ${name} -s ${first.id}`)
      expect(far.code).toBe(0)
      expect(far.data.join("\n")).toContain(name)
    }),
  )

  it.scopedLive("says why an entry with that name is invalid", () =>
    Effect.gen(function* () {
      const url = yield* page({ name: "A", properties: { priority: 99 } })
      const { code, notes } = yield* run(`events show A -s x --base-url ${url}`)
      expect(code).toBe(7)
      expect(notes).toEqual([
        "vigil: Entry 0 of a page is not an event: properties.priority must be a whole number from 0 to 23. Run vigil events list --output json to see what the service sent.",
      ])
    }),
  )

  it.live.each([
    ["events show a/b --sandbox", `<id> "a/b" is invalid: pass an ID such as AB12-CD3`],
    ["events details .. --sandbox", `<id> ".." is invalid`],
    ["events show AB12-CD3 --sandbox --since soon", `--since "soon" is invalid`],
    ["events show --sandbox", "<id> is missing: run vigil events show <id>."],
    [
      "events details AB12-CD3 --base-url http://127.0.0.1:1",
      "No subscription is configured: set HEALTH_SUBSCRIPTION, or pass --subscription ID.",
    ],
  ] as const)("vigil %s is a usage error", ([line, words]) =>
    Effect.gen(function* () {
      const { code, data, notes } = yield* run(line)
      expect({ code, data }).toEqual({ code: 2, data: [] })
      expect(notes).toEqual([expect.stringContaining(words)])
    }),
  )
})

describe("events details", () => {
  it.live("prints the withheld texts", () =>
    Effect.gen(function* () {
      const list = yield* run("events list --sandbox -o jsonl --since 30d --type securityadvisory --limit 1")
      const { name } = JSON.parse(list.data[0] ?? "") as { readonly name: string }
      const shown = yield* run(`events show ${name} --sandbox --since 30d`)
      expect(shown.data.join("\n")).not.toMatch(/^Summary$/m)
      const { code, data } = yield* run(`events details ${name} --sandbox`)
      expect(code).toBe(0)
      expect(data.join("\n")).toMatch(/^Summary\n {2}We found[^]*^Description\n {2}Between two releases/m)
      expect(data.join("\n")).not.toContain("Withheld")
      const json = yield* run(`events details ${name} --sandbox -o json`)
      expect(JSON.parse(json.data.join(""))).toMatchObject({ name, properties: { isEventSensitive: true } })
    }),
  )

  it.scopedLive("sends a POST request with the version and the subscription", () =>
    Effect.gen(function* () {
      const server = yield* Faults.serve([Reply.json(whole)])
      yield* run(`events details AB12-CD3 -s x --base-url ${server.origin} --api-version 2025-04-01`)
      expect((yield* server.requests).map(({ method, target }) => `${method} ${target}`)).toEqual([
        "POST /subscriptions/x/providers/Vendor.ResourceHealth/events/AB12-CD3/fetchEventDetails?api-version=2025-04-01",
      ])
    }),
  )

  it.scopedLive.each([
    [403, 4],
    [404, 5],
  ] as const)("for status %i exits with %i", ([status, code]) =>
    Effect.gen(function* () {
      const url = yield* service({ status, body: JSON.stringify({ code: "No", message: "No." }) })
      const refused = yield* run(`events details AB12-CD3 -s x --base-url ${url}`)
      expect(refused).toMatchObject({ code, data: [] })
      expect(refused.notes).toHaveLength(1)
    }),
  )
})
