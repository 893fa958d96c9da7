import { inspect } from "node:util"
import { describe, expect, it } from "@effect/vitest"
import { Tokens } from "@vigil/sandbox"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { start } from "./appmgmt.js"

const kinds: ReadonlyArray<Tokens.Options> = [
  { kind: "user", access: "full" },
  { kind: "user", access: "read-only" },
  { kind: "app", access: "full", app: "ada/atlas" },
  { kind: "app", access: "read-only", app: "ada/atlas" },
]

const unauthorized = {
  statusCode: 401,
  code: "Unauthorized",
  message: expect.stringMatching(/Correlation ID: [0-9a-f-]{36}$/),
}

describe("a token", () => {
  it.live.each(kinds)("gives access until it is deleted: %j", (options) =>
    Effect.gen(function* () {
      const { sendWith, tokens } = yield* start()
      const { id, value } = yield* tokens.create(options)
      const send = sendWith(value)
      expect((yield* send("GET", "/apps/ada/atlas")).status).toBe(200)
      expect(yield* tokens.delete(id)).toBe(true)
      expect(yield* send("GET", "/apps/ada/atlas")).toMatchObject({ status: 401, body: unauthorized })
      expect(yield* tokens.delete(id)).toBe(false)
    }),
  )

  it.live("is long, and never printed", () =>
    Effect.gen(function* () {
      const { tokens } = yield* start()
      const { value } = yield* tokens.create({ kind: "app", access: "full", app: "ada/atlas" })
      const secret = Redacted.value(value)
      expect(secret.length).toBeGreaterThanOrEqual(40)
      expect(inspect({ tokens, value }, { depth: 9 })).not.toContain(secret)
    }),
  )

  it.live("is deleted with its user's account, unless it is an app token", () =>
    Effect.gen(function* () {
      const { changeAccounts, sendAs } = yield* start()
      const ofUser = yield* sendAs({ kind: "user", access: "full", user: "grace" })
      const ofApp = yield* sendAs({ kind: "app", access: "full", user: "grace", app: "grace/night.watch" })
      expect(yield* ofUser("GET", "/user")).toMatchObject({ status: 200, body: { name: "grace" } })
      yield* changeAccounts((old) => ({ ...old, users: [old.users[0], ...old.users.slice(2)] }))
      for (const path of ["/user", "/apps"]) expect((yield* ofUser("GET", path)).status).toBe(401)
      expect((yield* ofApp("GET", "/apps/grace/night.watch")).status).toBe(200)
    }),
  )
})

describe("creating a token", () => {
  const refused: ReadonlyArray<readonly [Tokens.TokenRefused["reason"], Tokens.Options]> = [
    ["user", { kind: "user", access: "full", user: "unknown" }],
    ["app", { kind: "app", access: "full", app: "ada/none" }],
    ["right", { kind: "app", access: "full", app: "north.star/compass" }],
    ["right", { kind: "app", access: "read-only", app: "grace/night.watch" }],
    ["right", { kind: "app", access: "full", app: "ada/atlas", user: "zoe" }],
  ]

  it.live.each(refused)("fails with the reason %s: %j", ([reason, options]) =>
    Effect.gen(function* () {
      const { tokens } = yield* start()
      const error = yield* Effect.flip(tokens.create(options))
      expect(error).toBeInstanceOf(Tokens.TokenRefused)
      expect(error).toMatchObject({ reason, message: expect.stringMatching(/./) })
    }),
  )

  it.live("fails after 5000 tokens of an account, until one is deleted", () =>
    Effect.gen(function* () {
      const { tokens } = yield* start()
      const create = tokens.create({ kind: "user", access: "read-only" })
      const all = yield* Effect.all(Array.from({ length: 4_999 }, () => create))
      expect(yield* Effect.flip(create)).toMatchObject({ reason: "limit" })
      yield* tokens.create({ kind: "user", access: "full", user: "grace" })
      yield* tokens.delete(all[7]?.id ?? "")
      yield* create
    }),
  )
})
