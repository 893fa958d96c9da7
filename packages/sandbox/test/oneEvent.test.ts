import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { start } from "./service.js"

interface Resource {
  readonly properties: { readonly targetResourceId: string }
}

/** A sandbox, and functions to request one event and its impacted resources. */
const withEvents = (options: Parameters<typeof start>[0] = {}) =>
  Effect.map(start(options), (service) => {
    const { authorization, first, json, url, world } = service
    const ask = (rest: string, init: RequestInit = {}) =>
      json(url(`/subscriptions/${first}`, rest), { ...init, headers: { authorization } })
    const known = world.events.filter(({ subscriptions }) => subscriptions.includes(first))
    const isAdvisory = (name: string | null | undefined) =>
      known.some(({ event }) => event.name === name && event.properties?.eventType === "SecurityAdvisory")
    const own = (resources: ReadonlyArray<string>) => resources.filter((uri) => uri.includes(first))
    return { ...service, ask, isAdvisory, known, own }
  })

const version = "?api-version=2025-05-01"

describe("one event", () => {
  it.live("equals the event in the list, regardless of its age", () =>
    Effect.gen(function* () {
      const { ask, events, known, list } = yield* withEvents()
      const oldest = known.at(-1)?.event.name ?? ""
      const listed = (yield* events(list("&queryStartTime=1/1/2025"))).find(({ name }) => name === oldest)
      expect(yield* ask(`/${oldest}${version}`)).toEqual({ status: 200, body: listed })
    }),
  )

  it.live("is not found if it does not match the filter or the start time", () =>
    Effect.gen(function* () {
      const { ask, known } = yield* withEvents()
      const { event } = known.at(-1) ?? {}
      const statuses = yield* Effect.forEach(
        ["&queryStartTime=1/1/2025", "&queryStartTime=1/1/2999", "&$filter=service eq 'x'", "&queryStartTime=x"],
        (query) => Effect.map(ask(`/${event?.name}${version}${query}`), ({ status }) => status),
      )
      expect(statuses).toEqual([200, 404, 404, 400])
    }),
  )
})

describe("impacted resources", () => {
  const idsOf = (body: unknown) =>
    (body as { readonly value: ReadonlyArray<Resource> }).value.map(({ properties }) => properties.targetResourceId)

  it.live("are those of the subscription, returned by the operation for the event type", () =>
    Effect.gen(function* () {
      const { ask, isAdvisory, known, own } = yield* withEvents()
      const impacted = known.filter(({ resources }) => own(resources).length > 0)
      const advisory = impacted.find(({ event }) => isAdvisory(event.name))
      const other = impacted.find(({ event }) => !isAdvisory(event.name))
      for (const found of [advisory, other]) {
        const name = found?.event.name
        const expected = own(found?.resources ?? []).toSorted()
        const plain = yield* ask(`/${name}/impactedResources${version}`)
        const path = `/${name}/listSecurityAdvisoryImpactedResources${version}`
        const ofAdvisory = yield* ask(path, { method: "POST" })
        const [full, empty] = isAdvisory(name) ? [ofAdvisory, plain] : [plain, ofAdvisory]
        expect(idsOf(full.body).toSorted()).toEqual(expected)
        expect(idsOf(empty.body)).toEqual([])
      }
    }),
  )

  it.live("have the type, region and service of the resource", () =>
    Effect.gen(function* () {
      const { ask, isAdvisory, known, own, world } = yield* withEvents()
      const found = known.find(({ event, resources }) => own(resources).length > 0 && !isAdvisory(event.name))
      const [uri = ""] = own(found?.resources ?? [])
      const resource = world.resources.find((resource) => resource.uri === uri)
      const { body } = yield* ask(`/${found?.event.name}/impactedResources${version}`)
      expect((body as { readonly value: ReadonlyArray<unknown> }).value).toContainEqual({
        id: expect.stringContaining(`/events/${found?.event.name}/impactedResources/`),
        name: expect.stringMatching(/^[0-9a-f]{32}$/),
        type: "Vendor.ResourceHealth/events/impactedResources",
        properties: {
          targetResourceId: uri,
          targetResourceType: expect.stringMatching(/^Vendor\.\w+\/\w+$/),
          targetRegion: resource?.region,
          info: [{ key: "service", value: resource?.service }],
        },
      })
      const elsewhere = `&$filter=properties/targetRegion eq 'nowhere'`
      expect(idsOf((yield* ask(`/${found?.event.name}/impactedResources${version}${elsewhere}`)).body)).toEqual([])
    }),
  )

  it.live("of a security advisory return the first page for POST, and later pages for GET", () =>
    Effect.gen(function* () {
      const { ask, change, events, isAdvisory, known, own, world } = yield* withEvents({ pageSize: 5 })
      const resources = world.resources.map(({ uri }) => uri)
      yield* change((world) => ({ ...world, events: world.events.map((event) => ({ ...event, resources })) }))
      const advisory = known.find(({ event }) => isAdvisory(event.name))
      const path = `/${advisory?.event.name}/listSecurityAdvisoryImpactedResources${version}`
      const { body } = yield* ask(path, { method: "POST" })
      const { nextLink } = body as { readonly nextLink: string }
      const others = yield* events(nextLink)
      expect([...idsOf(body), ...idsOf({ value: others })]).toEqual(own(resources))
      expect(yield* ask(path)).toMatchObject({ status: 405, body: { error: { code: "MethodNotAllowed" } } })
    }),
  )
})
