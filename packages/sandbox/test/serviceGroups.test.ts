/** The lists of service groups, over HTTP. */
import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { names, start } from "./service.js"

const preview = "?api-version=2026-08-01-preview"

const scene = (pageSize?: number) =>
  Effect.map(start({ pageSize: pageSize ?? 1_000 }), ({ baseUrl, ...service }) => ({
    ...service,
    path: (name: string, list: string, version = preview) =>
      `${baseUrl}/providers/Microsoft.Management/serviceGroups/${name}/providers/Vendor.ResourceHealth/${list}${version}`,
  }))

it.live("list an event once for each subscription, with its ID, without security advisories and billing", () =>
  Effect.gen(function* () {
    const { events, path, world } = yield* scene(100)
    const listed = yield* events(path("everything", "events"))
    const types = new Set(["ServiceIssue", "PlannedMaintenance", "HealthAdvisory"])
    const expected = world.events
      .filter(({ event }) => types.has(event.properties?.eventType ?? ""))
      .flatMap(({ event, subscriptions }) => subscriptions.map((id) => `/subscriptions/${id}${event.id}`))
    expect(listed.map(({ id }) => id)).toEqual(expected)
    expect(new Set(names(listed)).size).toBeLessThan(listed.length)
    const maintenance = listed.find(({ properties }) => properties["eventType"] === "PlannedMaintenance")
    expect(maintenance?.properties).toMatchObject({ maintenanceType: "Planned", argQuery: expect.any(String) })
  }),
)

it.live("list the resources of groups and single resources, with their IDs, and the events of those only", () =>
  Effect.gen(function* () {
    const { events, path, world } = yield* scene()
    const [web, group = ""] = [world.resources[0]?.uri, world.serviceGroups[1]?.members[0]]
    const uris = world.resources.map(({ uri }) => uri).filter((uri) => uri === web || uri.startsWith(`${group}/`))
    const suffix = "/providers/Vendor.ResourceHealth/availabilityStatuses/current"
    const statuses = yield* events(path("WEB-shop", "availabilityStatuses"))
    expect(statuses.map(({ id }) => id)).toEqual(uris.map((uri) => uri + suffix))
    const impacting = world.events.filter(({ resources }) => resources.some((uri) => uris.includes(uri)))
    const listed = new Set(names(yield* events(path("web-shop", "events"))))
    expect(listed.size).toBeGreaterThan(0)
    expect([...listed].filter((name) => !impacting.some(({ event }) => event.name === name))).toEqual([])
  }),
)

it.live("are forbidden for unknown names, and only part of the preview", () =>
  Effect.gen(function* () {
    const { json, path } = yield* scene()
    expect(yield* json(path("none", "events"))).toMatchObject({ status: 403, body: { error: { code: "Forbidden" } } })
    const stable = yield* json(path("everything", "events", "?api-version=2026-07-01"))
    expect(stable).toMatchObject({
      status: 400,
      body: { error: { message: expect.stringContaining("2026-08-01-preview") } },
    })
  }),
)
