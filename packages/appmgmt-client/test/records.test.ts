/** The fields of users and apps. */
import { describe, expect, it } from "@effect/vitest"
import { App, User } from "@vigil/appmgmt-client"
import type { AppManagement } from "@vigil/appmgmt-client"
import { Reply } from "@vigil/sandbox"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { oneLayer } from "@vigil/testing/HttpStack"
import { runCall } from "./harness.js"

const user = { name: "ada", avatar_url: null, created_at: "2023-05-09T21:07:38.069Z", settings: { theme: "dark" } }
const app = {
  name: "shop",
  description: null,
  origin: "sandbox",
  owner: { name: "contoso", type: "org", email: null, avatar_url: null },
}

const fetchUser = (apps: AppManagement.Service): Effect.Effect<unknown, unknown> => apps.user
const fetchApps = (apps: AppManagement.Service): Effect.Effect<unknown, unknown> => apps.apps

/** The result of the call for this body. */
const resultFor = (use: typeof fetchUser, body: unknown) =>
  Effect.map(runCall([Reply.json(body)], use), ({ result }) => result).pipe(Effect.provide(oneLayer))

const wrong = { nested: {} }

describe("users and apps", () => {
  it.live.each([
    ["user", fetchUser, {}],
    ["user", fetchUser, user],
    ["apps", fetchApps, []],
    ["apps", fetchApps, [{}, { name: null, owner: null }, app]],
  ] as const)("%s returns the response unchanged: %#", ([, use, body]) =>
    Effect.gen(function* () {
      expect(yield* resultFor(use, body)).toEqual(Result.succeed(body))
    }),
  )

  it.live.each([
    ["user", fetchUser, [], ""],
    ["user", fetchUser, "ada", ""],
    ["apps", fetchApps, {}, ""],
    ["apps", fetchApps, null, ""],
    ["apps", fetchApps, [7], "0"],
    ["apps", fetchApps, [app, { owner: "contoso" }], "1.owner"],
    ["apps", fetchApps, [{ owner: { name: 7 } }], "0.owner.name"],
  ] as const)("%s fails for an invalid response, with the path of the field: %#", ([name, use, body, path]) =>
    Effect.gen(function* () {
      const failure = { operation: `AppManagement.${name}`, reason: { _tag: "Decode", path } }
      expect(yield* resultFor(use, body)).toMatchObject({ failure })
    }),
  )

  it.live.each([
    [fetchUser, Object.keys(User.User.fields), (field: string, value: unknown) => ({ [field]: value }), ""],
    [fetchApps, Object.keys(App.App.fields), (field: string, value: unknown) => [{ [field]: value }], "0."],
  ] as const)("have fields that are optional, nullable and typed: %#", ([use, fields, body, prefix]) =>
    Effect.gen(function* () {
      for (const field of fields.filter((name) => name !== "owner")) {
        expect(yield* resultFor(use, body(field, null))).toEqual(Result.succeed(body(field, null)))
        const failure = { reason: { _tag: "Decode", path: `${prefix}${field}` } }
        expect(yield* resultFor(use, body(field, wrong))).toMatchObject({ failure })
      }
    }),
  )
})
