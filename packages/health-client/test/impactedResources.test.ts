/** `listImpactedResources`: paging, checkpoints, invalid entries, and the operation of security advisories. */
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import { describe, expect, it } from "@effect/vitest"
import {
  Checkpoint,
  Credential,
  HealthClient,
  ImpactedResource,
  SubscriptionId,
  TrackingId,
} from "@vigil/health-client"
import { Faults, Reply } from "@vigil/sandbox"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { collect } from "./collect.js"

const s1 = SubscriptionId.make("s1")
const e1 = TrackingId.make("E1-234")

/** A client of a service with this script. */
const serve = (script: Reply.Script) =>
  Effect.gen(function* () {
    const server = yield* Faults.serve(script)
    const client = yield* HealthClient.make({ baseUrl: server.origin, credential: Credential.none })
    return { client, server }
  })

const resource = (name: string) => ({
  name,
  properties: { targetResourceId: `/subscriptions/s1/resourceGroups/g/x/${name}` },
})

describe("listImpactedResources", () => {
  it.live("resumes from each checkpoint, also if the first request was a POST", () =>
    Effect.gen(function* () {
      const { client, server } = yield* serve(({ target }) => {
        const page = Number(new URL(target, "http://x").searchParams.get("page") ?? 0)
        return Reply.page([resource(`r${page}`)], page < 2 ? `?page=${page + 1}` : null)
      })
      const stored = Schema.fromJsonString(Checkpoint.Checkpoint)
      for (const isSecurityAdvisory of [false, true]) {
        const pages = yield* collect(client.pagesOfImpactedResources(s1, e1, { isSecurityAdvisory }))
        expect(pages.map(({ items }) => items.map(({ name }) => name))).toEqual([["r0"], ["r1"], ["r2"]])
        for (const [index, { checkpoint }] of pages.entries()) {
          const from = yield* Effect.flatMap(Schema.encodeEffect(stored)(checkpoint), Schema.decodeEffect(stored))
          const rest = yield* collect(client.listImpactedResources(s1, e1, { isSecurityAdvisory, from }))
          expect(rest.map(({ name }) => name)).toEqual(["r0", "r1", "r2"].slice(index + 1))
        }
        const limited = yield* Effect.flip(
          collect(client.listImpactedResources(s1, e1, { isSecurityAdvisory, maxPages: 1 })),
        )
        const from = limited._tag === "PageLimit" ? limited.checkpoint : undefined
        expect(yield* collect(client.listImpactedResources(s1, e1, { isSecurityAdvisory, from }))).toHaveLength(2)
        const mismatch = client.listImpactedResources(s1, TrackingId.make("other"), { isSecurityAdvisory, from })
        expect(yield* Effect.flip(collect(mismatch))).toMatchObject({ _tag: "CheckpointMismatch", field: "id" })
        expect(yield* Effect.flip(collect(client.listBySubscription(s1, { from })))).toMatchObject({ field: "scope" })
      }
      const methods = (yield* server.requests).map(({ method, target }) => [method, target.includes("page=")] as const)
      expect(methods.every(([method, isNext]) => method === "GET" || !isNext)).toBe(true)
    }).pipe(Effect.provide(FetchHttpClient.layer)),
  )

  it.live("fails with InvalidResource at an invalid entry, unless onInvalid is set", () =>
    Effect.gen(function* () {
      const invalid = { name: "bad", properties: { targetResourceId: 7 } }
      const { client } = yield* serve(() => Reply.page([resource("a"), invalid, resource("b")]))
      const read: Array<unknown> = []
      const list = client.listImpactedResources(s1, e1)
      const error = yield* Effect.flip(Stream.runForEach(list, ({ name }) => Effect.sync(() => read.push(name))))
      expect(read).toEqual(["a"])
      expect(error).toMatchObject({
        _tag: "InvalidResource",
        operation: "HealthClient.listImpactedResources",
        service: "health",
        retryable: false,
        index: 1,
        path: "properties.targetResourceId",
        raw: invalid,
      })
      expect(error.message).toMatch(/entry 1 of a page is not an impacted resource: properties\.targetResourceId /)
      const rest = client.listImpactedResources(s1, e1, {
        onInvalid: ({ index }) => Effect.sync(() => read.push(index)),
      })
      expect((yield* collect(rest)).map(({ name }) => name)).toEqual(["a", "b"])
      expect(read).toEqual(["a", 1])
    }).pipe(Effect.provide(FetchHttpClient.layer)),
  )

  it.effect("is supported by layerTest", () =>
    Effect.gen(function* () {
      const client = yield* HealthClient.HealthClient
      expect(yield* collect(client.listImpactedResources(s1, e1))).toEqual([resource("a"), resource("b")])
      expect(yield* Effect.flip(collect(client.listImpactedResources(s1, TrackingId.make("other"))))).toMatchObject({
        _tag: "NotFound",
      })
    }).pipe(
      Effect.provide(
        HealthClient.layerTest({ impactedResources: { [e1]: [resource("a"), resource("b")] }, pageSize: 1 }),
      ),
    ),
  )
})

describe("ImpactedResource", () => {
  it("has the name and the resource group of its resource ID, if any", () => {
    const decode = (properties: object) => Schema.decodeUnknownSync(ImpactedResource.ImpactedResource)({ properties })
    const full = decode({
      targetResourceId: "/subscriptions/s/resourceGroups/Shop/providers/V.Compute/machines/Web-1/",
    })
    expect(ImpactedResource.resourceName(full)).toBe("Web-1")
    expect(ImpactedResource.resourceGroup(full)).toBe("Shop")
    for (const empty of [decode({}), decode({ targetResourceId: null }), decode({ targetResourceId: "" })])
      expect([ImpactedResource.resourceName(empty), ImpactedResource.resourceGroup(empty)]).toEqual([
        undefined,
        undefined,
      ])
  })
})
