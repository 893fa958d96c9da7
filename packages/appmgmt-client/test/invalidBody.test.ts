/** Errors of invalid request bodies. The client neither sends nor prints an invalid body. */
import { describe, expect, it } from "@effect/vitest"
import { Reply } from "@vigil/sandbox"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { anyLayer, runCall, printed } from "./harness.js"

const Thing = Schema.Struct({ ok: Schema.Boolean })
const thing = Reply.json({ ok: true })
const path = ["apps", "contoso", "shop", "groups"]

describe("a body that does not match its schema", () => {
  const secret = "hunter2-in-the-body"
  const Deep = Schema.Struct({ user: Schema.Struct({ name: Schema.String.pipe(Schema.maxLength(3)) }) })

  it.scopedLive("fails with its path, and is neither sent nor printed", () =>
    Effect.gen(function* () {
      const { result, requests } = yield* runCall([thing], (apps) =>
        apps.request({ method: "POST", path, request: Deep, body: { user: { name: secret } }, response: Thing }),
      )
      expect(requests).toEqual([])
      expect(result).toMatchObject({
        left: {
          _tag: "InvalidBody",
          operation: "AppManagement.request",
          path: "user.name",
          message: expect.stringMatching(/^AppManagement\.request: user\.name of the body .+\. Nothing was sent\.$/),
        },
      })
      expect(printed(result)).not.toContain(secret)
    }).pipe(Effect.provide(anyLayer)),
  )

  it.scopedLive("fails with an empty path if it is invalid as a whole, and with the operation", () =>
    Effect.gen(function* () {
      const { result, requests } = yield* runCall([thing], (apps) =>
        apps.request({
          method: "PATCH",
          path,
          request: Schema.NonEmptyString,
          body: "",
          response: Thing,
          operation: "Groups.rename",
        }),
      )
      expect(requests).toEqual([])
      expect(result).toMatchObject({
        left: {
          _tag: "InvalidBody",
          path: "",
          message: expect.stringMatching(/^Groups\.rename: the body .+\. Nothing was sent\.$/),
        },
      })
    }).pipe(Effect.provide(anyLayer)),
  )

  it.scopedLive("fails with one line of limited length, for any keys", () =>
    Effect.gen(function* () {
      const request = Schema.Record({ key: Schema.String, value: Schema.NonEmptyString })
      const { result } = yield* runCall([thing], (apps) =>
        Effect.forEach(["a\n\u202eb", "k".repeat(201)], (key) =>
          Effect.flip(apps.request({ method: "POST", path, request, body: { [key]: "" }, response: Thing })),
        ),
      )
      expect(result).toMatchObject({
        right: [
          { _tag: "InvalidBody", path: "a b" },
          { _tag: "InvalidBody", path: `${"k".repeat(200)}…` },
        ],
      })
    }).pipe(Effect.provide(anyLayer)),
  )

  it.scopedLive("fails as a whole if its schema throws, at the time of the call", () =>
    Effect.gen(function* () {
      let encoded = 0
      const request = Schema.transform(Schema.String, Schema.String, {
        decode: (text) => text,
        encode: (text) => {
          encoded++
          throw new Error(`Not ${text}`)
        },
      })
      const { result, requests } = yield* runCall([thing], (apps) => {
        const sending = apps.request({ method: "POST", path, request, body: secret, response: Thing })
        expect(encoded).toBe(0)
        return Effect.exit(sending).pipe(Effect.flatten)
      })
      expect(encoded).toBe(1)
      expect(requests).toEqual([])
      expect(result).toMatchObject({ left: { _tag: "InvalidBody", operation: "AppManagement.request", path: "" } })
      expect(printed(result)).not.toContain(secret)
    }).pipe(Effect.provide(anyLayer)),
  )

  const circular: Array<unknown> = []
  circular.push(circular)

  it.scopedLive.each([
    ["a bigint", { a: 1n }],
    ["a circular reference", circular],
    ["a function", () => secret],
    ["NaN", { a: [Number.NaN] }],
    ["Infinity", Number.POSITIVE_INFINITY],
  ] as const)("fails if JSON can't represent it: %s", ([, body]) =>
    Effect.gen(function* () {
      const { result, requests } = yield* runCall([thing], (apps) =>
        apps.request({ method: "POST", path, request: Schema.Any, body, response: Thing }),
      )
      expect(requests).toEqual([])
      expect(result).toMatchObject({ left: { _tag: "InvalidBody", operation: "AppManagement.request", path: "" } })
    }).pipe(Effect.provide(anyLayer)),
  )
})
