import { describe, expect, it } from "@effect/vitest"
import { Reply, World } from "@vigil/sandbox"
import * as Effect from "effect/Effect"
import { run } from "../support/run.js"
import { serveSubscriptions } from "../support/service.js"

const world = World.make({ now: Date.now() })
const [{ id: first }] = world.subscriptions

const impacted = world.events.flatMap(({ event, resources, subscriptions }) => {
  const own = resources.filter((uri) => uri.includes(first))
  return subscriptions.includes(first) && own.length > 0
    ? [{ own, name: event.name ?? "", type: event.properties?.eventType }]
    : []
})
const advisory = impacted.find(({ type }) => type === "SecurityAdvisory")
const incident = impacted.find(({ type }) => type === "ServiceIssue")

describe("vigil events resources", () => {
  it.live("lists the name, type, group and region of each resource, including security advisories", () =>
    Effect.gen(function* () {
      for (const found of [advisory, incident]) {
        const { code, data, notes } = yield* run(`events resources ${found?.name} --sandbox -s Production`)
        expect(code).toBe(0)
        expect(data[0]).toBe("NAME\tTYPE\tGROUP\tREGION")
        expect(data.slice(1).map((line) => line.split("\t")[0])).toEqual(found?.own.map((uri) => uri.split("/").at(-1)))
        expect(notes.at(-1)).toBe(`${found?.own.length} resource${found?.own.length === 1 ? "" : "s"} of Production`)
      }
    }),
  )

  it.live("lists the resources of every subscription that has the event, and names one that fails", () =>
    Effect.gen(function* () {
      const resource = (id: string) => ({ properties: { targetResourceId: `/subscriptions/${id}/x/y/${id}` } })
      const serve = (broken: number) =>
        serveSubscriptions(({ target }) => {
          const [, id = ""] = /subscriptions\/(\w+)\//.exec(target) ?? []
          if (id === "b") return Reply.json({ code: broken === 404 ? "EventNotFound" : "Denied" }, { status: broken })
          return target.includes("/impactedResources")
            ? Reply.page([resource(id)])
            : Reply.json({ name: "E1", properties: {} })
        })
      const list = (origin: string) =>
        run(`events resources E1 --base-url ${origin} -s a -s b -s c -o csv --columns subscription,name`)
      const found = yield* list((yield* serve(404)).origin)
      expect([found.code, found.data.toSorted()]).toEqual([0, ["a,a", "c,c", "subscription,name"]])
      expect(found.notes).toEqual(["2 resources of 2 subscriptions"])
      const failed = yield* list((yield* serve(403)).origin)
      expect([failed.code, failed.data.length]).toEqual([1, 3])
      expect(failed.notes).toEqual([
        expect.stringMatching(/^vigil: b: .*403/),
        "2 resources of 2 subscriptions",
        "vigil: 1 of 3 subscriptions failed: see above.",
      ])
    }),
  )

  it.live("notes invalid entries, and prints them in JSON as sent", () =>
    Effect.gen(function* () {
      const resource = { properties: { targetResourceId: "/a/resourceGroups/g/b/c" } }
      const server = yield* serveSubscriptions(() => Reply.page([7, resource]))
      const line = `events resources E1 --base-url ${server.origin} --subscription s1`
      expect(yield* run(line)).toMatchObject({
        data: ["NAME\tTYPE\tGROUP\tREGION", "c\t\tg\t"],
        notes: expect.arrayContaining([
          expect.stringContaining("entry 0 of page 1 is not an impacted resource"),
          "1 resource of s1; 1 invalid entry not shown",
        ]),
      })
      const { data } = yield* run(`${line} --output json`)
      expect(JSON.parse(data.join("\n"))).toEqual([7, resource])
      const invalid = yield* serveSubscriptions(() => Reply.page([7]))
      const refused = yield* run(line.replace(server.origin, invalid.origin))
      expect([refused.code, refused.notes.at(-1)]).toEqual([7, expect.stringContaining("vigil events resources E1")])
    }),
  )
})
