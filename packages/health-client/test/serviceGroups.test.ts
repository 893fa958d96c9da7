/** The lists of service groups, from a service in the form of the public document. */
import { describe, expect, it } from "@effect/vitest"
import { AvailabilityClient, HealthClient, Listing, Scope, ServiceGroup } from "@vigil/health-client"
import { Reply } from "@vigil/sandbox"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { collect, serve } from "./served.js"

const group = ServiceGroup.make("web-shop")
const path = "/providers/Microsoft.Management/serviceGroups/web-shop/providers/Vendor.ResourceHealth"
const version = "?api-version=2026-08-01-preview"

const record = (subscription: string, name: string, properties: object = {}) => ({
  id: `/subscriptions/${subscription}/providers/Vendor.ResourceHealth/events/${name}`,
  name,
  type: "Vendor.ResourceHealth/events",
  properties: { eventType: "ServiceIssue", status: "Active", lastUpdateTime: "2026-08-01T12:00:00Z", ...properties },
})

const maintenance = record("s1", "EFGH-456", { maintenanceId: "m", maintenanceType: "Planned", argQuery: "Resources" })
const events = [record("s1", "ABCD-123"), record("s2", "ABCD-123"), maintenance]

/** A page with entries, an empty page and the last page, with opaque links. */
const pages =
  (...entries: ReadonlyArray<object>) =>
  ({ target }: Reply.Request) => {
    if (target.includes("skipToken=b")) return Reply.page(entries.slice(1))
    return target.includes("skipToken=a")
      ? Reply.page([], `${target.replace(/&.*/, "")}&$skipToken=b%2F&querySignature=y`)
      : Reply.page(entries.slice(0, 1), `${target}&$skipToken=a&querySignature=x`)
  }

const forbidden = `{"error":{"code":"Forbidden","message":"Access to this preview operation is not permitted."}}`

describe("the lists of a service group", () => {
  it.live("follow links through an empty page, and keep both records of an event of two subscriptions", () =>
    Effect.gen(function* () {
      const { client, server } = yield* serve(pages(...events))
      const listed = yield* collect(client.listByServiceGroup(group))
      expect(listed).toEqual(events)
      expect(listed[2]?.properties?.maintenanceType).toBe("Planned")
      const targets = (yield* server.requests).map(({ target }) => target)
      const links = ["", "&$skipToken=a&querySignature=x", "&$skipToken=b%2F&querySignature=y"]
      expect(targets).toEqual(links.map((link) => `${path}/events${version}${link}`))
    }),
  )

  it.live("have the current status of each resource, with its ID", () =>
    Effect.gen(function* () {
      const uri = "/subscriptions/s1/resourceGroups/g/providers/Vendor.Compute/virtualMachines"
      const status = (name: string) => ({
        id: `${uri}/${name}/providers/Vendor.ResourceHealth/availabilityStatuses/current`,
        name: "current",
        properties: { availabilityState: "Available" },
      })
      const { connection, server } = yield* serve(pages(status("a"), status("b")))
      const list = AvailabilityClient.make(connection).list(Scope.serviceGroup(group))
      expect(yield* collect(list)).toEqual([status("a"), status("b")])
      expect((yield* server.requests)[0]?.target).toBe(`${path}/availabilityStatuses${version}`)
    }),
  )

  it.live("fail with Forbidden where the preview is not enabled", () =>
    Effect.gen(function* () {
      const { client, connection } = yield* serve(() => Reply.text(forbidden, { status: 403 }))
      const lists: ReadonlyArray<Effect.Effect<unknown, unknown>> = [
        collect(client.listByServiceGroup(group)),
        collect(AvailabilityClient.make(connection).list(Scope.serviceGroup(group))),
      ]
      for (const list of lists)
        expect(yield* Effect.flip(list)).toMatchObject({ reason: { _tag: "Forbidden", code: "Forbidden" } })
    }),
  )

  it.live("resume from a checkpoint, and take another version", () =>
    Effect.gen(function* () {
      const { client, server } = yield* serve(pages(...events))
      const options = { apiVersion: "2026-07-01" } as const
      const [first] = yield* collect(client.pagesByServiceGroup(group, options))
      const rest = yield* collect(client.pagesByServiceGroup(group, { ...options, from: first?.checkpoint }))
      expect(rest.flatMap(({ items }) => items)).toEqual(events.slice(1))
      for (const { target } of yield* server.requests) expect(target).toContain("api-version=2026-07-01")
    }),
  )

  it.effect("have test data by name", () =>
    Effect.gen(function* () {
      const { listByServiceGroup, pagesByServiceGroup } = yield* HealthClient.HealthClient
      expect(yield* collect(listByServiceGroup(group))).toEqual(events)
      const missing = pagesByServiceGroup(ServiceGroup.make("none")).pipe(Listing.items({ onInvalid: Effect.fail }))
      expect(yield* Effect.flip(collect(missing))).toMatchObject({ reason: { _tag: "NotFound" } })
    }).pipe(Effect.provide(HealthClient.layerTest({ serviceGroups: { "web-shop": events } }))),
  )
})

it("names of service groups are those of the public document", () => {
  const read = Schema.decodeUnknownResult(ServiceGroup.ServiceGroup)
  for (const name of ["a", "A-b_(1).x", "x".repeat(90)]) expect(Result.getOrThrow(read(name))).toBe(name)
  for (const name of ["", ".", "..", "a/b", "a b", "x".repeat(91), 7]) expect(Result.isFailure(read(name))).toBe(true)
})
