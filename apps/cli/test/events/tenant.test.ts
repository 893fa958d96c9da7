/** Reports, timelines and availability with what is of no subscription: each says what was not read of it, where it claims that all is well. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import { Faults, Reply } from "@vigil/sandbox"
import * as Effect from "effect/Effect"
import { folder } from "../support/folder.js"
import { run } from "../support/run.js"
import { idOf, status } from "../support/statuses.js"

const event = (name: string) => ({
  id: `/events/${name}`,
  name,
  properties: { title: `Title of ${name}`, eventType: "ServiceIssue", eventLevel: "Critical", status: "Active" },
})

const issue = { trackingId: "EM-1", title: "An outage", severity: "Error", stage: "Active" }

/** What is of no subscription. Each world has one issue. */
const worlds = {
  tenant: { of: "the tenant", tenant: [event("TEN-1")], impacted: [], issues: [] },
  "tenant that lists web-1": { of: "the tenant", tenant: [event("TEN-1")], impacted: [idOf("web-1")], issues: [] },
  emerging: { of: "emerging issues", tenant: [], impacted: [], issues: [issue] },
}

type World = keyof typeof worlds

const serve = (world: World, reply?: Reply.Reply) =>
  Faults.serve(({ target }) => {
    const { impacted, issues, of, tenant } = worlds[world]
    if (/availabilityStatuses/.test(target))
      return Reply.page([status("web-1", "Available"), status("web-2", "Available")])
    if (/impactedResources/i.test(target))
      return Reply.page(impacted.map((targetResourceId) => ({ properties: { targetResourceId } })))
    if (/subscriptions|metadata/.test(target)) return Reply.page([])
    if (/emergingIssues/.test(target))
      return of === "emerging issues" && reply
        ? reply
        : Reply.page([{ name: "default", properties: { statusActiveEvents: issues } }])
    return of === "the tenant" && reply ? reply : Reply.page(tenant)
  })

const replies = {
  401: Reply.empty(401),
  403: Reply.empty(403),
  404: Reply.empty(404),
  500: Reply.empty(500),
  hanging: Reply.silent,
}

const commands = ["report", "timeline", "timeline -o json", "availability"] as const

/** The exit code, and all that a command says. */
const answers = (world: World, reply?: keyof typeof replies) =>
  Effect.gen(function* () {
    const { origin } = yield* serve(world, reply && replies[reply])
    const file = join(yield* folder, "report.html")
    const asked = (command: string) => {
      const more = { report: `--resources --out ${file}`, timeline: "--resources" }[command] ?? ""
      const limit = reply === "hanging" ? "--list-timeout 1s" : ""
      return run(`events ${command} -s x --base-url ${origin} ${limit} ${more}`.trim().split(/ +/))
    }
    const runs = yield* Effect.forEach(commands, asked, { concurrency: "unbounded" })
    const page = readFileSync(file, "utf8")
      .replace(/^[^]*?<title>/, "")
      .replaceAll(/<style>[^]*?<\/style>|<script>[^]*?<\/script>/g, "")
      .replaceAll(/<[^>]*>/g, " ")
      .replaceAll(/\s+/g, " ")
    return {
      codes: runs.map(({ code }) => code),
      texts: [...runs.map(({ data, notes }) => [...data, ...notes].join("\n")), page],
    }
  })

/** Claims that nothing is wrong, with the rest of their lines. A claim of what is "known" is none. */
const claims = /(?:No (?:issue|event|impact)(?! is known)|no active issue|All \d+ resources are|All available)[^\n]*/g

describe.each(Object.keys(worlds) as ReadonlyArray<World>)("with an issue of the %s", (world) => {
  const { of } = worlds[world]

  it.live("each command tells it", () =>
    Effect.gen(function* () {
      const { codes, texts } = yield* answers(world)
      expect(codes).toEqual([0, 0, 0, 0])
      for (const text of texts)
        expect(text).toMatch(/1 (?:service|emerging) issue is active|1 affected|1 active issue|"status":"Active"/)
      expect(texts[0]).toMatch(
        world === "tenant that lists web-1"
          ? /2 resources are available, and 1 of them may be affected/
          : /All 2 resources are available\./,
      )
    }),
  )

  it.live.each([
    [401, [0, 0, 0, 0]],
    [403, [0, 0, 0, 0]],
    [404, [0, 0, 0, 0]],
    [500, [1, 1, 1, 1]],
    ["hanging", [1, 1, 1, 1]],
  ] as const)("none claims more than it read if the list responds %s", ([reply, exits]) =>
    Effect.gen(function* () {
      const { codes, texts } = yield* answers(world, reply)
      expect(codes).toEqual(exits)
      // The service then has no emerging issues.
      if (of === "emerging issues" && reply === 404) return
      for (const text of texts) {
        expect(text).toMatch(new RegExp(`not of ${of}|${of} (?:could not be read|failed)`, "i"))
        const calm = [...text.matchAll(claims)].map(([claim]) => claim)
        expect(calm.filter((claim) => !claim.includes(`not of ${of}`))).toEqual([])
      }
    }),
  )
})
