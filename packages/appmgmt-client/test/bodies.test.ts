/** The bodies of custom requests and of their responses. */
import { describe, expect, it } from "@effect/vitest"
import type { AppManagement } from "@vigil/appmgmt-client"
import { Reply } from "@vigil/sandbox"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { anyLayer, layers, runCall } from "./harness.js"

const Thing = Schema.Struct({ ok: Schema.Boolean })
const thing = Reply.json({ ok: true })
const path = ["apps", "contoso", "shop", "groups"]

const Group = Schema.Struct({ name: Schema.NonEmptyString, since: Schema.Date, note: Schema.optional(Schema.String) })

const sendOver =
  (layer: typeof anyLayer) =>
  (use: (apps: AppManagement.Service) => Effect.Effect<unknown, unknown>, script: Reply.Script = [thing]) =>
    runCall(script, use).pipe(Effect.provide(layer))

describe.each(layers)("over %s", (_, layer) => {
  const sends = sendOver(layer)

  it.scopedLive.each(["POST", "PUT", "PATCH"] as const)("%s sends the encoded body as JSON", (method) =>
    Effect.gen(function* () {
      const body = { name: "Zürich", since: new Date(0), note: undefined }
      const { result, requests } = yield* sends((apps) =>
        apps.request({ method, path, request: Group, body, response: Thing }),
      )
      expect(result).toEqual(Either.right({ ok: true }))
      expect(requests).toMatchObject([
        { method, target: "/v0.1/apps/contoso/shop/groups", headers: { "content-type": "application/json" } },
      ])
      expect(requests[0]?.body).toBe(`{"name":"Zürich","since":"1970-01-01T00:00:00.000Z"}`)
    }),
  )

  it.scopedLive.each(["POST", "PUT", "PATCH"] as const)("%s sends {} for an empty body", (method) =>
    Effect.gen(function* () {
      const { requests } = yield* sends((apps) =>
        Effect.all([
          apps.request({ method, path, request: Schema.Struct({}), body: {}, response: Thing }),
          apps.request({ method, path, request: Schema.Void, body: undefined, response: Thing }),
          apps.request({ method, path, request: Schema.Undefined, body: undefined, response: Thing }),
        ]),
      )
      expect(requests).toHaveLength(3)
      for (const { body, headers } of requests) {
        expect(body).toBe("{}")
        expect(headers).toMatchObject({ "content-length": "2", "content-type": "application/json" })
        expect(headers).not.toHaveProperty("transfer-encoding")
      }
    }),
  )

  it.scopedLive("empty values other than undefined are sent unchanged", () =>
    Effect.gen(function* () {
      const common = { method: "POST", path, response: Thing } as const
      const { requests } = yield* sends((apps) =>
        Effect.all([
          apps.request({ ...common, request: Schema.Null, body: null }),
          apps.request({ ...common, request: Schema.Boolean, body: false }),
          apps.request({ ...common, request: Schema.Number, body: 0 }),
          apps.request({ ...common, request: Schema.String, body: "" }),
          apps.request({ ...common, request: Schema.Array(Schema.String), body: [] }),
        ]),
      )
      expect(requests.map(({ body }) => body)).toEqual(["null", "false", "0", `""`, "[]"])
    }),
  )

  it.scopedLive.each(["GET", "DELETE"] as const)("%s sends no body", (method) =>
    Effect.gen(function* () {
      const { requests } = yield* sends((apps) => apps.request({ method, path, response: Thing }))
      expect(requests).toMatchObject([{ method, body: "" }])
      expect(requests[0]?.headers).not.toHaveProperty("content-type")
    }),
  )

  it.scopedLive("a response without a body is undefined, which only some schemas accept", () =>
    Effect.gen(function* () {
      const change = { method: "PUT", path, request: Schema.Struct({}), body: {} } as const
      const { result } = yield* sends(
        (apps) =>
          Effect.all([
            apps.request({ ...change, response: Schema.Void }),
            apps.request({ method: "DELETE", path, response: Schema.Void }),
            Effect.flip(apps.request({ ...change, response: Thing })),
          ]),
        [Reply.empty(204)],
      )
      expect(result).toMatchObject({ right: [undefined, undefined, { _tag: "DecodeError" }] })
    }),
  )

  it.scopedLive("a GET with a 200 and an empty body is a DecodeError", () =>
    Effect.gen(function* () {
      const { result } = yield* sends(
        (apps) => apps.request({ method: "GET", path, response: Schema.Void }),
        [Reply.empty(200)],
      )
      expect(result).toMatchObject({ left: { _tag: "DecodeError", path: "", reason: "is not JSON" } })
    }),
  )
})

describe("over any HTTP stack", () => {
  const sends = sendOver(anyLayer)

  it.scopedLive("a response is decoded by its schema, and errors contain the operation", () =>
    Effect.gen(function* () {
      const request = { method: "GET", path, response: Schema.Struct({ since: Schema.Date }) } as const
      const { result } = yield* sends(
        (apps) =>
          Effect.all([
            apps.request(request),
            Effect.flip(apps.request(request)),
            Effect.flip(apps.request({ ...request, operation: "Groups.read" })),
          ]),
        [Reply.json({ since: "2025-01-01T00:00:00Z" }), Reply.json({ since: 7 })],
      )
      expect(result).toMatchObject({
        right: [
          { since: new Date("2025-01-01") },
          { _tag: "DecodeError", operation: "AppManagement.request", path: "since" },
          { _tag: "DecodeError", operation: "Groups.read", path: "since" },
        ],
      })
    }),
  )

  it.scopedLive("custom success status codes apply to their request only", () =>
    Effect.gen(function* () {
      const get = { method: "GET", path, response: Schema.Void } as const
      const change = { ...get, method: "DELETE" } as const
      const { result } = yield* sends(
        (apps) =>
          Effect.all([
            apps.request({ ...get, success: [200, 204] }),
            apps.request({ ...get, success: undefined }).pipe(Effect.flip),
            apps.request(change),
            apps.request({ ...change, success: [200] }).pipe(Effect.flip),
          ]),
        [Reply.empty(204)],
      )
      const refused = { _tag: "ServiceError", status: 204 }
      expect(result).toMatchObject({ right: [undefined, refused, undefined, refused] })
    }),
  )

  it.scopedLive("a GET is retried after a fault, other methods only if they are idempotent", () =>
    Effect.gen(function* () {
      const sent = (use: (apps: AppManagement.Service) => Effect.Effect<unknown, unknown>) =>
        Effect.map(sends(use, [Reply.reset, thing]), ({ result, requests }) => [result._tag, requests.length])
      const change = { path, request: Schema.Struct({}), body: {}, response: Thing } as const
      const without = { path, response: Thing } as const
      expect(yield* sent((apps) => apps.request({ ...without, method: "GET" }))).toEqual(["Right", 2])
      expect(yield* sent((apps) => apps.request({ ...without, method: "GET", idempotent: false }))).toEqual(["Left", 1])
      expect(yield* sent((apps) => apps.request({ ...without, method: "DELETE" }))).toEqual(["Left", 1])
      expect(yield* sent((apps) => apps.request({ ...change, method: "POST" }))).toEqual(["Left", 1])
      expect(yield* sent((apps) => apps.request({ ...change, method: "PUT" }))).toEqual(["Left", 1])
      expect(yield* sent((apps) => apps.request({ ...change, method: "POST", idempotent: true }))).toEqual(["Right", 2])
      expect(yield* sent((apps) => apps.request({ ...without, method: "DELETE", idempotent: true }))).toEqual([
        "Right",
        2,
      ])
    }),
  )
})
