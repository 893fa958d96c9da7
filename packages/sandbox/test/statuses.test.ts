/** The lists of statuses, and what the service tells everyone, over HTTP. */
import { describe, expect, it } from "@effect/vitest"
import { World } from "@vigil/sandbox"
import * as Effect from "effect/Effect"
import { names, news, start } from "./service.js"

const version = "?api-version=2025-05-01"

const parentOf = ({ resources }: World.World): string =>
  resources.find(({ service }) => service === "SQL Database")?.uri ?? ""

describe("the list of a subscription", () => {
  it.live("has the current status of each resource, and recommended actions only on request", () =>
    Effect.gen(function* () {
      const { events, first, provider, world } = yield* start({ resources: 20, pageSize: 7 })
      const list = (query: string) =>
        events(provider(`/subscriptions/${first}`, `/availabilityStatuses${version}${query}`))
      const statuses = yield* list("")
      const uris = world.resources.filter(({ subscription }) => subscription === first).map(({ uri }) => uri)
      const suffix = "/providers/Vendor.ResourceHealth/availabilityStatuses/current"
      expect(statuses.map(({ id }) => id)).toEqual(uris.map((uri) => uri + suffix))
      expect(new Set(names(statuses))).toEqual(new Set(["current"]))
      for (const { properties } of statuses) expect(properties).not.toHaveProperty("recommendedActions")
      for (const { properties } of yield* list("&$expand=RecommendedActions"))
        expect(properties).toHaveProperty("recommendedActions")
    }),
  )

  it.live("is filtered by `$filter`", () =>
    Effect.gen(function* () {
      const { events, first, provider } = yield* start({ resources: 100 })
      const list = (query: string) =>
        events(provider(`/subscriptions/${first}`, `/availabilityStatuses${version}${query}`))
      const isDegraded = ({ properties }: { readonly properties: Readonly<Record<string, unknown>> }) =>
        properties["availabilityState"] === "Degraded"
      const degraded = yield* list("&$filter=properties/availabilityState eq 'degraded'")
      expect(degraded.length).toBeGreaterThan(0)
      expect(degraded).toEqual((yield* list("")).filter(isDegraded))
    }),
  )
})

describe("the list of a resource group", () => {
  it.live("has the resources of the group, whose name is not case-sensitive", () =>
    Effect.gen(function* () {
      const { events, first, provider } = yield* start({ resources: 150 })
      const path = `/subscriptions/${first}/resourceGroups/PRODUCTION-2`
      const statuses = yield* events(provider(path, `/availabilityStatuses${version}`))
      expect(statuses).toHaveLength(44)
      for (const { id } of statuses)
        expect(id).toContain(path.toLowerCase().replace("resourcegroups", "resourceGroups"))
    }),
  )
})

describe("the statuses of a resource", () => {
  it.live("have the name `current` or a time, and the ID of the resource is not case-sensitive", () =>
    Effect.gen(function* () {
      const { events, json, provider, world } = yield* start()
      const uri = parentOf(world)
      const [current, ...others] = yield* events(provider(uri.toUpperCase(), `/availabilityStatuses${version}`))
      expect(current?.name).toBe("current")
      expect(others.length).toBeGreaterThan(0)
      for (const { id, name } of others) {
        expect(name).toMatch(/^\d{4}-\d\d-\d\d\+\d\d%3a\d\d%3a\d\dZ$/)
        expect(id).toBe(`${uri}/providers/Vendor.ResourceHealth/availabilityStatuses/${name}`)
      }
      const one = provider(uri, `/availabilityStatuses/current${version}`)
      expect(yield* json(one)).toEqual({ status: 200, body: current })
      const other = `${one}&$filter=properties/availabilityState eq 'x'`
      expect(yield* json(other)).toMatchObject({ status: 404, body: { error: { code: "EntityNotFound" } } })
    }),
  )

  it.live("are those that a test put, even if they are invalid", () =>
    Effect.gen(function* () {
      const { change, json, provider, world } = yield* start()
      const uri = parentOf(world)
      const invalid: World.StatusProperties = JSON.parse(`"no object"`)
      yield* change(World.putStatus(uri, invalid))
      const { body } = yield* json(provider(uri, `/availabilityStatuses/current${version}`))
      expect(body).toMatchObject({ name: "current", properties: "no object" })
    }),
  )

  it.live("of children are listed by the parent, and belong to child resources only", () =>
    Effect.gen(function* () {
      const { events, json, provider, world } = yield* start()
      const uri = parentOf(world)
      const children = yield* events(provider(uri, `/childResources${version}`))
      expect(names(children)).toEqual(["main", "spare"])
      const child = `${uri}/databases/main`
      const statuses = yield* events(provider(child, `/childAvailabilityStatuses${version}`))
      const { body } = yield* json(provider(child, `/childAvailabilityStatuses/current${version}`))
      expect(body).toMatchObject({ properties: children[0]?.properties })
      expect(statuses[0]?.properties).toEqual(children[0]?.properties)
      const impacted = yield* events(provider(uri, `/events${version}`))
      expect(impacted.length).toBeGreaterThan(0)
      expect(yield* events(provider(child, `/events${version}`))).toEqual(impacted)
      const none = yield* json(provider(uri, `/childAvailabilityStatuses${version}`))
      expect(none).toMatchObject({ status: 404, body: { error: { code: "ResourceNotFound" } } })
    }),
  )
})

describe("an event of the tenant", () => {
  it.live("is in no list of a subscription or a resource, and has its own impacted resources", () =>
    Effect.gen(function* () {
      const { events, json, provider, world } = yield* start()
      const path = (scope: string, { event }: World.WorldEvent, rest = "") =>
        provider(scope, `/events/${event.name}${rest}${version}`)
      const impacted = ({ properties }: { readonly properties: object }) => Object.entries(properties)[0]?.[1]
      const ofTenant = world.events.filter(({ subscriptions }) => subscriptions.length === 0)
      const all = `/events${version}&queryStartTime=1/1/2025`
      expect(names(yield* events(provider("", all)))).toEqual(names(ofTenant.map(({ event }) => event)))
      const known = new Set(world.events.flatMap(({ event, subscriptions: [id] }) => (id ? [event.name] : [])))
      const outage = ofTenant.find(({ event, resources }) => resources.length > 0 && !known.has(event.name))
      const [uri = ""] = outage?.resources ?? []
      if (outage === undefined) return expect(outage).toBeDefined()
      expect(yield* json(path("", outage))).toMatchObject({ status: 200, body: { name: outage.event.name } })
      const listed = yield* events(path("", outage, "/impactedResources"))
      expect(listed.map(impacted)).toEqual([uri])
      const one = yield* json(path("", outage, `/impactedResources/${listed[0]?.name}`))
      expect(one).toEqual({ status: 200, body: listed[0] })
      for (const { id } of world.subscriptions)
        expect(yield* json(path(`/subscriptions/${id}`, outage))).toMatchObject({ status: 404 })
      expect(names(yield* events(provider(uri, all)))).not.toContain(outage.event.name)
      expect(yield* json(provider(uri, `/availabilityStatuses/current${version}`))).toMatchObject({
        body: { properties: { availabilityState: "Available" } },
      })
    }),
  )

  it.live("may be one of a subscription, too, that lists another resource", () =>
    Effect.gen(function* () {
      const { events, provider, world } = yield* start()
      const shared = world.events.find(
        ({ event, subscriptions }) =>
          subscriptions.length > 0 &&
          world.events.some((other) => other.subscriptions.length === 0 && other.event.name === event.name),
      )
      const lists = ["", ...(shared?.subscriptions ?? []).map((id) => `/subscriptions/${id}`)]
      const impacted = yield* Effect.forEach(lists, (scope) =>
        events(provider(scope, `/events/${shared?.event.name}/impactedResources${version}`)),
      )
      const targets = impacted.map((all) => all.map(({ properties }) => properties["targetResourceId"]))
      expect(targets[0]).toHaveLength(1)
      expect(targets.slice(1).flat()).toEqual(shared?.resources)
      expect(targets.slice(1).flat()).not.toContain(targets[0]?.[0])
    }),
  )

  it.live("that is put or removed leaves that of a subscription with its ID as it is", () =>
    Effect.gen(function* () {
      const { change, events, list, url } = yield* start()
      const ofTenant = `?api-version=2025-05-01`
      yield* change((world) => ({ ...world, events: [news(world)] }))
      yield* change((world) => World.put({ ...news(world), subscriptions: [] })(world))
      yield* change((world) => World.put({ ...news(world), subscriptions: [] })(world))
      expect(names(yield* events(list()))).toEqual(["NEW1-NEW"])
      expect(names(yield* events(url("", ofTenant)))).toEqual(["NEW1-NEW"])
    }),
  )
})

describe("the details of a billing event", () => {
  it.live("exist for billing events only, and require the right to read details", () =>
    Effect.gen(function* () {
      const status = (
        { first, json, provider, world }: Effect.Success<ReturnType<typeof start>>,
        eventType: string,
      ) => {
        const found = world.events.find(
          ({ event, subscriptions }) => event.properties?.eventType === eventType && subscriptions.includes(first),
        )
        const path = `/events/${found?.event.name}/fetchBillingCommunicationDetails${version}`
        return Effect.map(json(provider(`/subscriptions/${first}`, path), { method: "POST" }), ({ status }) => status)
      }
      const [all, none] = [yield* start(), yield* start({ details: false })]
      expect([yield* status(all, "Billing"), yield* status(all, "RCA"), yield* status(none, "Billing")]).toEqual([
        200, 404, 403,
      ])
    }),
  )
})

describe("the service", () => {
  it.live("announces recent emerging issues, of which one is in no list of events, and critical service issues", () =>
    Effect.gen(function* () {
      const { json, provider, world } = yield* start()
      const { body } = yield* json(provider("", `/emergingIssues/default${version}`))
      const isRecent = ({ event, lastUpdate }: World.WorldEvent) =>
        lastUpdate > world.now - 259_200_000 && event.properties?.status === "Active"
      const isOfSubscription = ({ subscriptions }: World.WorldEvent) => subscriptions.length > 0
      const recent = world.events.filter((one) => isRecent(one) && isOfSubscription(one)).map(({ event }) => event)
      const issues = world.emergingIssues.filter(isRecent).map(({ event }) => event)
      const critical = recent.filter(
        ({ properties }) => properties?.eventType === "ServiceIssue" && properties.eventLevel === "Critical",
      )
      const known = new Set(names(world.events.map(({ event }) => event)))
      expect(names(issues).map((name) => known.has(name))).toEqual([false, true])
      expect(body).toMatchObject({
        name: "default",
        properties: {
          statusActiveEvents: issues.map(({ name }) => ({ trackingId: name, stage: "Active" })),
          statusBanners: critical.map(({ properties }) => ({ title: properties?.title })),
        },
      })
    }),
  )
})
