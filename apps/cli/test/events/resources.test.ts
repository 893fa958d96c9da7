import { describe, expect, it } from "@effect/vitest"
import { Faults, Reply, World } from "@vigil/sandbox"
import * as Effect from "effect/Effect"
import { run } from "../support/run.js"

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
        const { code, data, notes } = yield* run(`events resources ${found?.name} --sandbox`)
        expect(code).toBe(0)
        expect(data[0]).toBe("NAME\tTYPE\tGROUP\tREGION")
        expect(data.slice(1).map((line) => line.split("\t")[0])).toEqual(found?.own.map((uri) => uri.split("/").at(-1)))
        expect(notes.at(-1)).toBe(`${found?.own.length} resource${found?.own.length === 1 ? "" : "s"}`)
      }
    }),
  )

  it.live("notes invalid entries, and prints them in JSON as sent", () =>
    Effect.gen(function* () {
      const resource = { properties: { targetResourceId: "/a/resourceGroups/g/b/c" } }
      const server = yield* Faults.serve(() => Reply.page([7, resource]))
      const line = `events resources E1 --base-url ${server.origin} --subscription s1`
      expect(yield* run(line)).toMatchObject({
        data: ["NAME\tTYPE\tGROUP\tREGION", "c\t\tg\t"],
        notes: expect.arrayContaining([
          expect.stringContaining("entry 0 of page 1 is not an impacted resource"),
          "1 resource; 1 invalid entry not shown",
        ]),
      })
      const { data } = yield* run(`${line} --output json`)
      expect(JSON.parse(data.join("\n"))).toEqual([7, resource])
      const invalid = yield* Faults.serve(() => Reply.page([7]))
      const refused = yield* run(line.replace(server.origin, invalid.origin))
      expect([refused.code, refused.notes.at(-1)]).toEqual([7, expect.stringContaining("vigil events resources E1")])
    }),
  )
})
