import { describe, expect, it } from "@effect/vitest"
import { Reply } from "@vigil/sandbox"
import * as Effect from "effect/Effect"
import { run } from "../support/run.js"
import { serveSubscriptions, type Shared } from "../support/service.js"
import { issue, resource } from "../support/situation.js"

const now = Date.now()

const available = resource("web-1", "Available", now)
const down = resource("web-1", "Unavailable", now, { reasonType: "Unplanned", summary: "A disk failed." })
const stopped = resource("web-1", "Unavailable", now, { reasonType: "UserInitiated", summary: "Stopped by a user." })
const unknown = resource("web-1", "Unknown", now)

const outage = issue("AB12-CD3", "Critical", ["West Europe"])

/** The entry of emerging issues with one of these. */
const emerging = (region: string) => [
  {
    name: "default",
    properties: {
      statusActiveEvents: [
        {
          title: "Web is slow",
          trackingId: "EF45-GH6",
          severity: "Warning",
          stage: "Active",
          impacts: [{ name: "Web", regions: [{ name: region }] }],
        },
      ],
    },
  },
]

const metadata = [
  {
    name: "region",
    properties: {
      supportedValues: [
        { id: "westeurope", displayName: "West Europe" },
        { id: "brazilsouth", displayName: "Brazil South" },
      ],
    },
  },
]

interface World extends Shared {
  readonly statuses?: ReadonlyArray<unknown> | Reply.Reply
  readonly events?: ReadonlyArray<unknown> | Reply.Reply
  /** Of the subscription `b`. Default: it has nothing. */
  readonly other?: Reply.Reply
}

const pageOf = (list: ReadonlyArray<unknown> | Reply.Reply) => ("end" in list ? list : Reply.page([...list]))

/** A service of the subscriptions `a` and `b`. */
const serve = ({ events = [], other = Reply.page([]), statuses = [available], ...shared }: World) =>
  serveSubscriptions(
    ({ target }) => {
      if (target.includes("/subscriptions/b/")) return other
      if (/impactedResources/i.test(target)) return Reply.page([])
      return pageOf(target.includes("/availabilityStatuses") ? statuses : events)
    },
    { metadata, ...shared },
  )

const status = (world: World, flags = "") =>
  Effect.flatMap(serve(world), ({ origin }) => run(`status --base-url ${origin} -s a -s b ${flags}`))

/** For a list that hangs. */
const briefly = "--list-timeout 3s"

const forbidden = Reply.text("{}", { status: 403 })

describe("vigil status", () => {
  it.live.each<
    readonly [code: number, answer: string | RegExp, next: RegExp | undefined, world: World, flags?: string]
  >([
    [0, "Nothing is wrong: the only resource of 2 subscriptions is available, and no issue is active.", undefined, {}],
    [
      0,
      "Nothing is wrong: the only resource of 2 subscriptions is available, and no issue is active (without the tenant).",
      undefined,
      { tenant: forbidden },
      "--without-tenant",
    ],
    [
      0,
      /^Nothing is wrong: 1 of 1 resource is not available: stopped by its owner, and no/,
      undefined,
      { statuses: [stopped] },
    ],
    [
      0,
      "Nothing is wrong: the only resource of 2 subscriptions is available, and 1 active issue is elsewhere.",
      undefined,
      { emergingIssues: emerging("Brazil South") },
    ],
    [0, "Nothing is wrong: 2 subscriptions have no resources, and no issue is active.", undefined, { statuses: [] }],
    [
      10,
      "1 of 1 resource is not available: 1 Unavailable. No issue is active.",
      /why web-1 --subscription a/,
      { statuses: [down] },
    ],
    [
      10,
      "1 active issue may hit what you have. The only resource of 2 subscriptions is available.",
      /events show AB12-CD3 --since 90d --subscription a/,
      { events: [outage] },
    ],
    [
      10,
      /^1 active issue may hit what you have\. The only/,
      /events show AB12-CD3 --since 90d --base-url/,
      { tenant: [outage] },
    ],
    [
      10,
      /^1 active issue may hit what you have\. The only/,
      /events show EF45-GH6 --since 90d --base-url/,
      { emergingIssues: emerging("West Europe") },
    ],
    [
      10,
      /^1 of 1 .* No issue is known to be active \(not of b\)\.$/,
      /why web-1/,
      { statuses: [down], other: Reply.silent },
      briefly,
    ],
    [
      13,
      /^Not known whether anything is wrong: 1 of 1 .*: 1 Unknown, and no issue/,
      /why web-1/,
      { statuses: [unknown] },
    ],
    [
      13,
      "Nothing is known to be wrong, but not all was read: the only resource that was read is available, and no issue is known to be active (not of b).",
      /^Next: vigil status/,
      { other: Reply.silent },
      briefly,
    ],
    [13, /^Nothing is known .* \(not of the tenant\)\.$/, /status .*--without-tenant/, { tenant: forbidden }],
    [13, /^Nothing is known .* \(not of the tenant\)\.$/, /status/, { tenant: Reply.silent }, briefly],
    [13, /^Nothing is known .* \(not of the resources of a\)\.$/, /status/, { statuses: [available, { id: 1 }] }],
    [
      13,
      "Not known whether anything is wrong: nothing could be read.",
      /^Next: vigil status/,
      { statuses: forbidden, events: forbidden, other: forbidden, tenant: forbidden, emergingIssues: forbidden },
    ],
  ])("exits with %d and says %s, then %s", ([code, answer, next, world, flags = ""]) =>
    Effect.gen(function* () {
      const found = yield* status(world, flags)
      expect(found.notes).toEqual([])
      expect([found.code, found.data[0]]).toEqual([
        code,
        typeof answer === "string" ? answer : expect.stringMatching(answer),
      ])
      expect(found.data.filter((line) => line.startsWith("Next: "))).toEqual(
        next === undefined ? [] : [expect.stringMatching(next)],
      )
      const json = yield* status(world, `${flags} --output json`)
      expect([json.code, JSON.parse(json.data.join(""))]).toMatchObject([code, { answer: found.data[0] }])
    }),
  )

  it.live("names resources by their cause, and why lists were not read, without cutting names", () =>
    Effect.gen(function* () {
      const name = `web-${"x".repeat(100)}`
      const statuses = [down, resource(name, "Degraded", now, { healthEventId: "AB12-CD3" })]
      const { origin } = yield* serve({ statuses, events: [outage], tenant: forbidden })
      const { data } = yield* run(`status --base-url ${origin} -s a`, { width: 60 })
      const text = data.join("\n")
      expect(text.replaceAll(/\s/g, "")).toContain(name)
      expect(data).toContain("  Platform: Title of AB12-CD3 (AB12-CD3)")
      expect(text).toMatch(/Not read\n {2}- the tenant: .*403/)
    }),
  )

  it.live("prints JSON with the scope of issues that are of no subscription", () =>
    Effect.gen(function* () {
      const world = { statuses: [down], tenant: [outage], events: [issue("XY12-CD3", "Error", ["West Europe"])] }
      const { data } = yield* status(world, "--output json")
      expect(JSON.parse(data.join(""))).toMatchObject({
        status: "wrong",
        subscriptions: ["a", "b"],
        resources: { total: 1, notAvailable: 1, stopped: 0, affected: 0 },
        causes: [{ cause: "platform", resources: [{ name: "web-1", state: "Unavailable" }] }],
        issues: [
          { trackingId: "AB12-CD3", level: "Critical", scope: "tenant", reach: "may hit" },
          { trackingId: "XY12-CD3", subscriptions: ["a"] },
        ],
        unread: [],
        next: expect.stringContaining("vigil why web-1"),
      })
    }),
  )
})
