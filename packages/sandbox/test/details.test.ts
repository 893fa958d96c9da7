import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { type Event, start } from "./service.js"

/** A sandbox, and a function to fetch the details of an event. */
const withDetails = (options: Parameters<typeof start>[0] = {}) =>
  Effect.map(start(options), (service) => {
    const { first, json, url, world } = service
    const address = (trackingId: string, { id = first, version = "?api-version=2025-05-01" } = {}) =>
      url(`/subscriptions/${id}`, `/${trackingId}/fetchEventDetails${version}`)
    const post = { method: "POST", headers: { authorization: service.authorization } }
    const ofType = (kind: string) =>
      world.events.find(
        ({ event, subscriptions }) => event.properties?.eventType === kind && subscriptions.includes(first),
      )
    return {
      ...service,
      address,
      ofType,
      details: (path: string, init: RequestInit = {}) => json(path, { ...post, ...init }),
    }
  })

const nested = (status: number, code: string) => ({ status, body: { error: { code, message: expect.any(String) } } })

describe("the details of an event", () => {
  it.live("contain the texts that its list withholds", () =>
    Effect.gen(function* () {
      const { address, details, events, list, ofType } = yield* withDetails()
      const secret = ofType("SecurityAdvisory")
      const name = secret?.event.name ?? ""
      const shown = (yield* events(list("&queryStartTime=1/1/2025"))).find((event) => event.name === name)
      expect(shown?.properties).not.toHaveProperty("summary")
      expect(yield* details(address(name))).toEqual({ status: 200, body: secret?.event })
      expect(secret?.event.properties).toMatchObject({ isEventSensitive: true, summary: expect.stringMatching(/./) })
    }),
  )

  it.live("depend on the version and the vendor", () =>
    Effect.gen(function* () {
      const version = "?api-version=2025-04-01"
      const { address, details, ofType } = yield* withDetails({ vendor: "Acme" })
      const { body } = yield* details(address(ofType("SecurityAdvisory")?.event.name ?? "", { version }))
      const { properties, systemData } = body as Event
      expect(systemData).toBeDefined()
      expect(properties).toHaveProperty("enableAcmeSupport")
      const billing = ofType("Billing")?.event.name ?? ""
      expect((yield* details(address(billing))).status).toBe(200)
      expect(yield* details(address(billing, { version }))).toMatchObject(nested(404, "EventNotFound"))
    }),
  )

  it.live("are not found for an unknown subscription, or one without the event", () =>
    Effect.gen(function* () {
      const { address, details, first, second, world } = yield* withDetails()
      const foreign = world.events.find(({ subscriptions }) => !subscriptions.includes(first))?.event.name ?? ""
      expect(yield* details(address(foreign))).toMatchObject(nested(404, "EventNotFound"))
      expect((yield* details(address(foreign, { id: second }))).status).toBe(200)
      expect(yield* details(address(foreign, { id: "nope" }))).toMatchObject(nested(404, "SubscriptionNotFound"))
      expect(yield* details(address("NOPE-123"))).toMatchObject(nested(404, "EventNotFound"))
    }),
  )

  it.live("are forbidden to a token without the right, which can still list events", () =>
    Effect.gen(function* () {
      const { address, details, events, list, ofType } = yield* withDetails({ details: false })
      for (const path of [address(ofType("RCA")?.event.name ?? ""), address("x"), address("x", { id: "nope" })])
        expect(yield* details(path)).toMatchObject(nested(403, "AuthorizationFailed"))
      expect((yield* events(list())).length).toBeGreaterThan(0)
    }),
  )
})
