/** `vigil serve --resources`: the states of resources on the page, in metrics, and as notifications. */
import { describe, expect, it } from "@effect/vitest"
import { Reply } from "@vigil/sandbox"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Queue from "effect/Queue"
import { afterEach, vi } from "vitest"
import { startReceiver } from "../support/receiver.js"
import { run } from "../support/run.js"
import { startServer } from "../support/server.js"
import { serveSubscriptions } from "../support/service.js"

afterEach(() => void vi.unstubAllEnvs())

const id = (name: string) => `/subscriptions/a/resourceGroups/g/providers/V.Web/sites/${name}`

const status = (name: string, availabilityState: string, properties: object = {}) => ({
  id: `${id(name)}/providers/V.ResourceHealth/availabilityStatuses/current`,
  location: "westeurope",
  properties: {
    availabilityState,
    occuredTime: "2026-03-10T11:00:00Z",
    // The clock of these tests starts in 1970.
    reportedTime: "1970-01-01T00:00:00Z",
    ...properties,
  },
})

/** The statuses, or the status code, of each subscription, and the status code of all events. Tests may change them. */
type Responses = Record<string, ReadonlyArray<unknown> | number>

const serve = (responses: Responses, ...args: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const service = yield* serveSubscriptions(({ target }) => {
      const { events } = responses
      if (!target.includes("/availabilityStatuses"))
        return typeof events === "number" ? Reply.empty(events) : Reply.page([])
      const response = responses[/subscriptions\/([^/]+)\//.exec(target)?.[1] ?? ""] ?? 404
      return typeof response === "number" ? Reply.empty(response) : Reply.page(response)
    })
    const flags = Object.keys(responses).flatMap((one) => ["-s", one])
    const server = yield* startServer("--resources", "--base-url", service.origin, ...flags, ...args)
    yield* server.idle
    const next = Effect.andThen(server.pass("5 minutes"), server.idle).pipe(Effect.andThen(server.pass("20 seconds")))
    return { ...server, next, metrics: Effect.map(server.get("/metrics"), ({ text }) => text) }
  })

describe("serve --resources", () => {
  it.effect("serves the states, names a subscription that fails, and keeps what it had", () =>
    Effect.gen(function* () {
      const responses: Responses = {
        a: [
          status("web-1", "Unavailable", { reasonType: "Unplanned" }),
          status("web-2", "Available"),
          status("web-3", "Unavailable", { reasonType: "UserInitiated" }),
          1,
          // A list that changes while it is read can contain a resource twice.
          status("web-1", "Available"),
        ],
        b: 403,
      }
      const { get, metrics, next, note } = yield* serve(responses)
      const notes = [yield* note, yield* note].toSorted()
      expect(notes).toEqual([
        expect.stringMatching(/^vigil: a, resources: entry 3 of page 1 is not a status/),
        expect.stringMatching(/^vigil: b, resources: A poll failed, .*403/),
      ])
      const page = (yield* get("/")).text
      for (const words of [
        "2 of 3 resources are not available",
        "Read: 3 resources of a.",
        "Resources of b could not be read. 1 entry could not be read.",
      ])
        expect(page.replaceAll(/\s+/g, " ")).toContain(words)
      expect(yield* get("/readyz")).toMatchObject({
        status: 200,
        text: "ready\nCould not read Resources of Subscription b\n",
      })
      const place = 'subscription="a",group="g",type="V.Web/sites"'
      for (const sample of [
        `vigil_resource_state{${place},name="web-1",location="westeurope",state="Unavailable",cause="platform"} 1`,
        `vigil_resource_state{${place},name="web-2",location="westeurope",state="Available",cause=""} 1`,
        `vigil_resource_state{${place},name="web-3",location="westeurope",state="Unavailable",cause="customer",own_action="yes"} 1`,
        'vigil_resources{subscription="a",state="Unavailable"} 2',
        'vigil_resources{subscription="a",state="Degraded"} 0',
        'vigil_invalid_entries{subscription="a",list="resources"} 1',
        'vigil_poll_success{subscription="b"} 1',
        'vigil_poll_success{subscription="b",list="resources"} 0',
        'vigil_polls_total{subscription="b",list="resources",result="failure"} 1',
      ])
        expect(yield* metrics).toContain(`${sample}\n`)
      expect(yield* metrics).not.toContain('vigil_resources{subscription="b"')

      Object.assign(responses, { a: 404, b: [] })
      yield* next
      expect((yield* get("/")).text).toMatch(
        /2 of 3 resources[^]*Resources of Subscription a: [^]*404[^]*What is shown of it is of <time/,
      )
      expect(yield* metrics).toContain('vigil_poll_age_seconds{subscription="a",list="resources"} 3')

      Object.assign(responses, { events: 403 })
      yield* next
      expect(yield* metrics).toContain('name="web-3",location="westeurope",state="Unavailable",cause="unknown",own_')
    }),
  )

  it.effect("knows which events list a resource, and keeps and names a list that fails", () =>
    Effect.gen(function* () {
      let impacted: Reply.Reply = Reply.page([{ properties: { targetResourceId: id("WEB-2") } }])
      const event = {
        id: "/providers/V.ResourceHealth/events/AB12-CD3",
        name: "AB12-CD3",
        properties: {
          title: "Slow",
          impact: [{ impactedService: "Web", impactedRegions: [{ impactedRegion: "West Europe" }] }],
          eventType: "ServiceIssue",
          status: "Active",
          lastUpdateTime: "1970-01-01T00:00:00Z",
        },
      }
      const metadata = { supportedValues: [{ displayName: "Web", resourceTypes: ["V.Web/sites"] }] }
      const statuses = [status("web-1", "Available"), status("web-2", "Available"), status("web-3", "Degraded")]
      const service = yield* serveSubscriptions(
        ({ target }) =>
          target.includes("/impactedResources")
            ? impacted
            : Reply.page(target.includes("/availabilityStatuses") ? statuses : [event]),
        { metadata: [{ properties: metadata }] },
      )
      const server = yield* startServer("--resources", "--base-url", service.origin, "-s", "a")
      yield* server.idle
      const affected = 'name="web-2",location="westeurope",state="Available",cause="platform"} 1'
      expect((yield* server.get("/metrics")).text).toContain(affected)
      expect((yield* server.get("/")).text).toMatch(
        /Perhaps platform: [^]*and names other resources[^]*1 event hits what you have[^]*It names web-2\./,
      )
      expect((yield* server.get("/metrics")).text).toContain('state="Degraded",cause="unknown"} 1')
      impacted = Reply.empty(403)
      yield* Effect.andThen(server.pass("5 minutes"), server.idle)
      expect(yield* server.note).toMatch(/^vigil: The impacted resources of AB12-CD3: .*403/)
      expect((yield* server.get("/metrics")).text).toContain(affected)
      expect((yield* server.get("/")).text).toMatch(
        /Some of this is of 1 Jan 1970, 00:00 UTC\. The impacted resources of AB12-CD3 could not be read\./,
      )
      impacted = Reply.page([])
      yield* Effect.andThen(server.pass("5 minutes"), server.idle)
      expect((yield* server.get("/metrics")).text).toContain('state="Degraded",cause="platform"} 1')
    }),
  )

  it.effect("never says that all are available if nothing was read", () =>
    Effect.gen(function* () {
      const { get } = yield* serve({ a: 404 })
      const page = (yield* get("/")).text
      expect(page).toContain("The state of resources is unknown")
      expect(page).not.toMatch(/resources? (?:is|are) available/)
    }),
  )

  it.effect("has at most 1,000 resources in metrics, those that are not available first, and counts all", () =>
    Effect.gen(function* () {
      const all = Array.from({ length: 1_200 }, (_, index) =>
        status(`n${index}`, index < 1_150 ? "Available" : "Degraded"),
      )
      const { metrics } = yield* serve({ a: all })
      const text = yield* metrics
      expect(text.match(/^vigil_resource_state\{/gm)).toHaveLength(1_000)
      expect(text.match(/^vigil_resource_state\{.*Degraded/gm)).toHaveLength(50)
      expect(text).toContain('vigil_resources{subscription="a",state="Available"} 1150\n')
    }),
  )

  it.effect("notifies of each change of a state once, also after a restart", () =>
    Effect.gen(function* () {
      const { messages, received, routes, state } = yield* startReceiver()
      const flags = ["--routes", routes, "--state-file", state, "--public-url", "https://status.example"]
      const responses: Responses = { a: [status("Web-1", "Degraded"), status("web-2", "Available")] }
      const first = yield* serve(responses, ...flags)
      yield* first.pass("20 seconds")
      const [one, two] = [id("web-1"), id("web-2")].map((text) => text.toLowerCase())
      expect(yield* Queue.take(messages)).toBe(`${one}:opened`)
      yield* first.next
      yield* Fiber.interrupt(first.fiber)
      responses["a"] = [status("web-1", "Available"), status("web-2", "Unavailable")]
      const second = yield* serve(responses, ...flags)
      yield* second.pass("20 seconds")
      expect([yield* Queue.take(messages), yield* Queue.take(messages)].toSorted()).toEqual([
        `${one}:resolved`,
        `${two}:opened`,
      ])
      yield* second.next
      expect(yield* Queue.size(messages)).toBe(0)
      expect(received[0]).toMatchObject({ type: "Resource", link: "https://status.example/#resources" })
    }),
  )

  it.live.each([
    ["serve --sandbox --resources --tenant-wide", "--resources requires subscriptions"],
    ["events timeline --sandbox --resources --output json", "--resources requires --output table"],
  ] as const)("refuses %s", ([line, words]) =>
    Effect.gen(function* () {
      expect(yield* run(line)).toMatchObject({ code: 2, notes: [expect.stringContaining(words)] })
    }),
  )
})
