/** The events of the tenant and emerging issues in `vigil serve`: on the page, in metrics, the calendar and JSON, and what is said if they may not be read. */
import { describe, expect, it } from "@effect/vitest"
import { Reply } from "@vigil/sandbox"
import * as Subject from "@vigil/health-verdict/Subject"
import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"
import { afterEach, vi } from "vitest"
import * as State from "../../src/serve/State.js"
import { startReceiver } from "../support/receiver.js"
import { firstState, startServer, subject } from "../support/server.js"
import { type Shared, serveSubscriptions } from "../support/service.js"
import { issue, resource } from "../support/situation.js"

afterEach(() => void vi.unstubAllEnvs())

const web = "/subscriptions/a/resourceGroups/g/providers/V.Web/sites/web-1"

/** An event of the tenant and maintenance that list web-1, and an emerging issue where web-1 is. */
const world = {
  tenant: [
    issue("TEN-1", "Critical", ["West Europe"]),
    {
      id: "/events/PLAN-1",
      name: "PLAN-1",
      properties: { eventType: "PlannedMaintenance", status: "Active", impactStartTime: "2026-03-10T12:00:00Z" },
    },
  ],
  impactedOfTenant: [{ properties: { targetResourceId: web } }],
  emergingIssues: [
    {
      name: "default",
      properties: {
        statusActiveEvents: [
          {
            trackingId: "EM-1",
            title: "Web is slow",
            stage: "Active",
            severity: "Error",
            impacts: [{ name: "Web", regions: [{ name: "West Europe" }] }],
          },
        ],
      },
    },
  ],
}

/** Serves one subscription without events, whose only resource is available. */
const serve = (shared: Shared, ...args: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const service = yield* serveSubscriptions(
      ({ target }) => {
        return Reply.page(target.includes("/availabilityStatuses") ? [resource("web-1", "Available", Date.now())] : [])
      },
      {
        metadata: [
          {
            name: "impactedService",
            properties: { supportedValues: [{ displayName: "Web", resourceTypes: ["V.Web/sites"] }] },
          },
        ],
        ...shared,
      },
    )
    const server = yield* startServer("-s", "a", "--resources", "--base-url", service.origin, ...args)
    yield* server.idle
    const text = (path: string) => Effect.map(server.get(path), ({ text }) => text.replaceAll(/\s+/g, " "))
    const samples = (name: string) =>
      Effect.map(server.get("/metrics"), ({ text }) => text.match(new RegExp(`^${name}.*`, "gm")) ?? [])
    return { ...server, text, samples }
  })

const issues = [
  'vigil_issue_active{scope="tenant",event="TEN-1",title="Title of TEN-1",type="ServiceIssue",level="Critical",reach="yours"} 1',
  'vigil_issue_active{scope="everyone",event="EM-1",title="Web is slow",type="EmergingIssues",level="Error",reach="yours"} 1',
]

describe("the tenant and everyone", () => {
  it.live("are on the page, in metrics, in the calendar and in JSON", () =>
    Effect.gen(function* () {
      const { samples, text } = yield* serve(world)
      expect(yield* text("/")).toMatch(/1 resource is available, and may be affected.*TEN-1.*EM-1/)
      expect(yield* samples("vigil_issue_active")).toEqual(issues)
      expect(yield* samples("vigil_poll_success{scope")).toEqual([
        'vigil_poll_success{scope="tenant"} 1',
        'vigil_poll_success{scope="everyone"} 1',
      ])
      expect(yield* samples("vigil_resource_state")).toEqual([
        expect.stringContaining('name="web-1",location="westeurope",state="Available",cause="platform"'),
      ])
      expect(yield* text("/calendar.ics")).toContain("UID:plan-1@vigil")
      expect(yield* text("/events")).toMatch(/"scope":"tenant".*"scope":"everyone".*TEN-1.*PLAN-1.*EM-1/)
    }),
  )

  it.live.each([
    ["401", Reply.empty(401), "not of the tenant"],
    ["403", Reply.empty(403), "not of the tenant"],
    ["404", Reply.empty(404), "not of the tenant"],
    ["500", Reply.empty(500), "tenant could not be read"],
    ["a list that hangs", Reply.silent, "tenant could not be read"],
  ] as const)("claim nothing on %s, which is a failed poll only if the list may be read", ([, tenant, words]) =>
    Effect.gen(function* () {
      const isFailed = words.includes("could not be read")
      const { get, note, samples, text } = yield* serve({ tenant }, "--list-timeout", "1s")
      const page = yield* text("/")
      expect(page).not.toMatch(/(No issue is active|All available|only resource is available)(?! \()/)
      expect(page).toMatch(new RegExp(words, "i"))
      expect(yield* note).toMatch(
        isFailed ? /^vigil: the tenant: A poll failed/ : /^vigil: not of the tenant: .*40\d.*\.$/,
      )
      expect(yield* samples("vigil_.*scope=.tenant")).toEqual(
        isFailed
          ? [
              'vigil_polls_total{scope="tenant",result="success"} 0',
              'vigil_polls_total{scope="tenant",result="failure"} 1',
              'vigil_poll_success{scope="tenant"} 0',
              expect.stringMatching(/^vigil_poll_age_seconds/),
            ]
          : [],
      )
      expect((yield* get("/readyz")).text).toBe(isFailed ? "ready\nCould not read the tenant\n" : "ready\n")
      expect(yield* text("/calendar.ics")).toContain("DESCRIPTION:not of the tenant: ")
      expect(yield* text("/events")).toMatch(/"scope":"tenant","name":null,"problem":"[^"]/)
    }),
  )

  it.effect("are noted once if they may not be read, and left out on request", () =>
    Effect.gen(function* () {
      const { idle, note, pass } = yield* serve({ tenant: Reply.empty(403) })
      yield* note
      yield* Effect.andThen(pass("5 minutes"), idle)
      const other = yield* serve({ tenant: Reply.empty(400) })
      yield* Effect.andThen(other.pass("5 minutes"), other.idle)
      expect(yield* other.note).toContain("A poll failed")
      expect(yield* other.note).toContain("A poll failed")
      vi.stubEnv("HEALTH_WITHOUT_TENANT", "1")
      const service = yield* serveSubscriptions([Reply.page([])], { tenant: Reply.empty(403) })
      const { get, introduction, polled } = yield* startServer("-s", "a", "--base-url", service.origin)
      yield* Effect.andThen(polled, polled)
      expect(introduction).toMatch(/^Serving a, without the tenant\./)
      expect((yield* get("/")).text).toContain("No issue is active (without the tenant)")
    }),
  )

  it.live("send nothing by routes", () =>
    Effect.gen(function* () {
      const { messages, routes } = yield* startReceiver()
      const { samples } = yield* serve(world, "--routes", routes)
      expect(yield* samples("vigil_notifications_waiting")).toEqual([expect.stringMatching(/ 0$/)])
      expect(yield* Queue.size(messages)).toBe(0)
    }),
  )

  it("change the version of the page only if their content changes", () => {
    const poll = { at: 1, startedAt: 1, from: 0, duration: 1 }
    const list = { ...State.noEvents, readAt: 1, problem: undefined, error: undefined }
    const everyone = { subject: Subject.everyone, name: undefined, isRequired: false }
    let state = State.next(State.initial(0, [...firstState.lists, everyone]), poll, { ...list, subject })
    const isNew = [{}, {}, { events: [{ name: "A" }] }, { problem: "500" }, { problem: "500" }].map((found, index) => {
      const { version } = state
      state = State.next(state, { ...poll, at: index }, { ...list, ...found, subject: Subject.everyone })
      return state.version !== version
    })
    expect(isNew).toEqual([true, false, true, true, false])
  })
})
