/** The fields of users and apps. */
import { describe, expect, it } from "@effect/vitest"
import { App, type AppManagement, User } from "@vigil/appmgmt-client"
import { Faults, Reply } from "@vigil/sandbox"
import { oneLayer } from "@vigil/testing/HttpStack"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { record } from "@vigil/testing/Recorder"
import { connect, runCall } from "./harness.js"

const user = { name: "ada", avatar_url: null, created_at: "2023-05-09T21:07:38.069Z", settings: { theme: "dark" } }
const owner = { name: "contoso", type: "org", email: null, avatar_url: null }

type Name = "user" | "apps"

/** The result of the operation for this body. */
const resultFor = (name: Name, body: unknown) => {
  const use = (apps: AppManagement.Service): Effect.Effect<unknown, unknown> => apps[name]
  return Effect.map(runCall([Reply.json(body)], use), ({ result }) => result).pipe(Effect.provide(oneLayer))
}

describe("users and apps", () => {
  it.live("are the response, unchanged", () =>
    Effect.gen(function* () {
      for (const body of [{}, user]) expect(yield* resultFor("user", body)).toEqual(Result.succeed(body))
      for (const body of [[], [{}, { name: null, owner: null }, { name: "shop", origin: "sandbox", owner }]])
        expect(yield* resultFor("apps", body)).toEqual(Result.succeed(body))
    }),
  )

  it.live.each<readonly [Name, path: string, body: unknown]>([
    ["user", "", []],
    ["user", "", { statusCode: 401, message: "Unauthorized" }],
    ["user", "", { name: "ada", error: { code: "Busy" } }],
    ["apps", "", {}],
    ["apps", "0", [7]],
    ["apps", "1.owner", [{ owner }, { owner: "contoso" }]],
    ["apps", "0.owner.name", [{ owner: { name: 7 } }]],
  ])("%s fails at %j for %j", ([name, path, body]) =>
    Effect.gen(function* () {
      const failure = { operation: `AppManagement.${name}`, reason: { _tag: "Decode", path } }
      expect(yield* resultFor(name, body)).toMatchObject({ failure })
    }),
  )

  it.live("have fields that are optional, nullable and typed", () =>
    Effect.gen(function* () {
      const fields = { user: Object.keys(User.User.fields), apps: Object.keys(App.App.fields) }
      for (const name of ["user", "apps"] as const)
        for (const field of fields[name]) {
          const body = (value: unknown) => (name === "user" ? { [field]: value } : [{ [field]: value }])
          expect(yield* resultFor(name, body(null))).toEqual(Result.succeed(body(null)))
          const path = name === "user" ? field : `0.${field}`
          expect(yield* resultFor(name, body(7))).toMatchObject({ failure: { reason: { path } } })
        }
    }),
  )

  it.live("have their number in the span of the list", () =>
    Effect.gen(function* () {
      const server = yield* Faults.serve([Reply.json([{}, {}])])
      const { spans } = yield* record(Effect.flatMap(connect(server.origin), ({ apps }) => apps))
      expect(spans.at(-1)).toMatchObject({ name: "AppManagement.apps", attributes: { "app.items": 2 } })
    }).pipe(Effect.provide(oneLayer)),
  )
})
