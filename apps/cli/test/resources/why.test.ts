import { describe, expect, it } from "@effect/vitest"
import { Faults, Reply, World } from "@vigil/sandbox"
import * as Effect from "effect/Effect"
import { run } from "../support/run.js"
import { serveSubscriptions } from "../support/service.js"

const [{ id }] = World.make({ now: 0 }).subscriptions
const resource = `/subscriptions/${id}/resourceGroups/shop/providers/Vendor.Compute/virtualMachines/web-1`

const status = (properties: object, of = resource) => ({
  id: `${of}/providers/Vendor.ResourceHealth/availabilityStatuses/current`,
  location: "westeurope",
  properties: { occuredTime: "2026-01-01T00:00:00Z", reportedTime: new Date().toISOString(), ...properties },
})

const available = status({ availabilityState: "Available" })
const stopped = status({ availabilityState: "Unavailable", reasonType: "UserInitiated", summary: "Stopped by a user." })
const outage = status({ availabilityState: "Degraded", reasonType: "Unplanned" })

/** A service with a status, and events, or the status code of their list. */
const serve = (current: object, { events = Reply.page([]), all = [current] } = {}) =>
  serveSubscriptions(({ target }) => {
    if (target.includes("/current?")) return Reply.text(JSON.stringify(current))
    return target.includes("/availabilityStatuses?") ? Reply.page(all) : events
  })

const fails = { events: Reply.text("{}", { status: 403 }) }

describe("vigil why", () => {
  it.live.each([
    [0, /^Nothing known explains it: the resource is Available/, available, {}],
    [10, /^The platform: /, outage, fails],
    [13, /^Unknown\. Perhaps your own action: Stopped by a user, for .+ Not read completely: the /, stopped, fails],
  ] as const)("answers with %d, and with %s in the first line and in JSON", ([code, answer, current, options]) =>
    Effect.gen(function* () {
      const { origin } = yield* serve(current, options)
      const line = `why ${resource} --base-url ${origin}`
      const table = yield* run(line)
      expect(table).toMatchObject({ code, data: expect.arrayContaining([expect.stringMatching(answer)]), notes: [] })
      expect(table.data[0]).toMatch(answer)
      const json = yield* run(`${line} --output json`)
      expect(json.code).toBe(code)
      expect(JSON.parse(json.data.join("\n"))).toMatchObject({ resource, answer: table.data[0] })
    }),
  )

  it.live(
    "finds a resource by its name, and names the command that shows the event, with the name of the subscription",
    () =>
      Effect.gen(function* () {
        const { code, data } = yield* run("why WEB-1 --sandbox -s production")
        expect(code).toBe(10)
        expect(data).toContainEqual(
          expect.stringMatching(/^Next +vigil events show [\w-]+ --since 90d --subscription Production --sandbox$/),
        )
      }),
  )

  it.live.each([
    ["one --sandbox", 5, /^vigil: No resource of Production and Staging has the name "one"/],
    [`${resource} --sandbox`, 5, /could not be found/],
    ["/shop/web-1 --sandbox", 2, /^vigil: The ID of a resource has the form \/subscriptions\/ID\//],
  ] as const)("fails for %s with %d", ([line, code, note]) =>
    Effect.gen(function* () {
      expect(yield* run(`why ${line}`)).toMatchObject({ code, data: [], notes: [expect.stringMatching(note)] })
    }),
  )

  it.live("does not say that a resource is missing if entries of the list are invalid", () =>
    Effect.gen(function* () {
      const { origin } = yield* serve(available, { all: [{ ...available, properties: { occuredTime: 1 } }] })
      const { code, notes } = yield* run(`why web-1 --base-url ${origin} -s ${id}`)
      const note = `vigil: No valid resource of ${id} has the name "web-1", but 1 entry could not be read. Pass its ID.`
      expect([code, notes]).toEqual([7, [note]])
    }),
  )

  it.live("says once that the list of the only subscription failed", () =>
    Effect.gen(function* () {
      const { origin } = yield* Faults.serve(() => Reply.text("{}", { status: 403 }))
      const { code, notes } = yield* run(`why web-1 --base-url ${origin} -s ${id}`)
      expect([code, notes.length]).toEqual([4, 1])
    }),
  )

  it.live("does not say that a resource is missing if the list of one of several subscriptions failed", () =>
    Effect.gen(function* () {
      const { origin } = yield* serveSubscriptions(({ target }) =>
        target.includes(id) ? Reply.page([]) : Reply.text("{}", { status: 404 }),
      )
      const { code, notes } = yield* run(`why web-1 --base-url ${origin} -s ${id} -s other`)
      expect([code, notes]).toEqual([
        1,
        [
          expect.stringMatching(/^vigil: other: .*404/),
          'vigil: No resource that could be read has the name "web-1": 1 of 2 subscriptions failed, see above.',
        ],
      ])
    }),
  )

  it.live("finds a resource that the list has twice, in another case and with another slash", () =>
    Effect.gen(function* () {
      const { origin } = yield* serve(available, { all: [status({}, `${resource.toUpperCase()}/`), available] })
      expect(yield* run(`why web-1 --base-url ${origin} -s ${id}`)).toMatchObject({ code: 0, notes: [] })
    }),
  )

  it.live("asks for the ID if several resources have the name", () =>
    Effect.gen(function* () {
      const other = resource.replace("shop", "other")
      const command = (id: string) => `vigil why ${id} --base-url ${origin}`
      const { origin } = yield* serve(available, { all: [available, status({}, other)] })
      const { code, notes } = yield* run(`why web-1 --base-url ${origin} -s ${id}`)
      expect([code, notes]).toEqual([
        2,
        [`vigil: 2 resources have the name "web-1". Choose one:`, command(resource), command(other)],
      ])
    }),
  )

  it.live("names the first five resources that have the name", () =>
    Effect.gen(function* () {
      const all = ["a", "b", "c", "d", "e", "f"].map((group) => status({}, resource.replace("shop", group)))
      const { origin } = yield* serve(available, { all })
      const { notes } = yield* run(`why web-1 --base-url ${origin} -s ${id}`)
      expect([notes[0], notes.length]).toEqual([`vigil: 6 resources have the name "web-1". The first 5:`, 6])
    }),
  )

  it.live.each(["why", "resources show"])(
    "%s looks a name up in every subscription, and prints a command for each",
    (command) =>
      Effect.gen(function* () {
        const { code, notes } = yield* run(`${command} web-1 --sandbox`)
        const commands = ["Production", "Staging"].map(
          (name) => `vigil ${command} web-1 --subscription ${name} --sandbox`,
        )
        expect([code, notes.slice(1)]).toEqual([2, commands])
      }),
  )

  it.live.each(["web1", "wbe-1"])("suggests the nearest name for %s", (name) =>
    Effect.gen(function* () {
      const { code, notes } = yield* run(`why ${name} --sandbox`)
      expect([code, notes]).toEqual([5, [expect.stringContaining(`"${name}". Did you mean "web-1"? It may`)]])
    }),
  )
})
