import { describe, expect, it } from "@effect/vitest"
import { Reply } from "@vigil/sandbox"
import * as Effect from "effect/Effect"
import { run } from "../support/run.js"
import { serveSubscriptions } from "../support/service.js"
import { idOf, status } from "../support/statuses.js"

const { properties, ...web } = status("web", "Degraded")
const current = {
  ...web,
  properties: { ...properties, healthEventId: "AB12-CD3", recommendedActions: [{ action: "<b>Wait</b>." }] },
}
const history = [current, status("web", "Available")]
const children = [status("web/databases/main", "Unknown")]

type Response = ReadonlyArray<unknown> | number

const reply = (response: Response) =>
  typeof response === "number" ? Reply.json({ error: { code: "No" } }, { status: response }) : Reply.page(response)

const show = (
  flags: string,
  lists: { readonly current?: object; readonly history?: Response; readonly children?: Response } = {},
) =>
  Effect.flatMap(
    serveSubscriptions(({ target }) => {
      if (target.includes("/current?")) return Reply.json(lists.current ?? current)
      return reply(target.includes("/childResources?") ? (lists.children ?? children) : (lists.history ?? history))
    }),
    ({ origin }) => run(`resources show ${idOf("web")} --base-url ${origin} ${flags}`),
  )

describe("vigil resources show", () => {
  it.live("shows the state, what to do, the history, and the resources in it", () =>
    Effect.gen(function* () {
      const { code, data, notes } = yield* show("")
      expect([code, notes]).toEqual([0, []])
      expect(data.filter((line) => !/^(State|Last check) /.test(line))).toEqual([
        "web: Degraded",
        "",
        "Resource              web, Vendor.Sql/servers, shop, westeurope",
        "Reason                Unplanned",
        "Summary               Summary of web.",
        expect.stringMatching(
          /^Event {17}vigil events show AB12-CD3 --since 90d --subscription x --base-url http:\S+$/,
        ),
        "",
        "Recommended actions",
        "  - Wait.",
        "",
        "History",
        "  - Degraded since 10 Mar 2026, 11:00 UTC (Unplanned): Summary of web.",
        "  - Available since 10 Mar 2026, 11:00 UTC",
        "",
        "Resources in it",
        "  - main: Unknown since 10 Mar 2026, 11:00 UTC (Unplanned): Summary of web/databases/main.",
      ])
      const json = yield* show("--output json")
      expect(JSON.parse(json.data.join("\n"))).toEqual({
        current,
        history: { items: history, invalid: 0 },
        children: { items: children, invalid: 0 },
      })
    }),
  )

  it.live("names the lists that failed and invalid entries, and exits with 1 if a list failed", () =>
    Effect.gen(function* () {
      const { code, data, notes } = yield* show("", { history: 403, children: [7] })
      expect([code, notes]).toEqual([1, ["vigil: Not read completely: history."]])
      expect(data.slice(data.indexOf("Not read") + 1)).toEqual([
        expect.stringMatching(/^ {2}- history: .*403/),
        "  - resources in it: 1 invalid entry",
      ])
      const json = yield* show("--output json", { children: 403 })
      expect(json).toMatchObject({
        code: 1,
        notes: [expect.stringMatching(/^vigil: resources in it: .*403/), expect.any(String)],
      })
    }),
  )

  it.live("shows the worst of several statuses with one time, as vigil why does", () =>
    Effect.gen(function* () {
      const lists = { current: status("web", "Available"), history: [status("web", "Unavailable")] }
      expect((yield* show("", lists)).data[0]).toBe("web: Unavailable")
      expect((yield* show("--output csv", lists)).data[1]).toContain("Unavailable")
      expect(JSON.parse((yield* show("--output json", lists)).data.join("\n"))).toMatchObject({
        current: lists.current,
      })
    }),
  )

  it.live("accepts a resource whose service has no list of resources in it", () =>
    Effect.gen(function* () {
      expect((yield* show("", { children: 404 })).code).toBe(0)
    }),
  )
})
