import { FetchHttpClient } from "effect/http"
import { describe, expect, it } from "@effect/vitest"
import { ApiToken, AppManagement, AppName, Decoder, Email } from "@vigil/appmgmt-client"
import { Sandbox } from "@vigil/sandbox"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"

/** An app that the default user manages, and one that is inaccessible. */
const own = AppName.make("ada", "atlas")
const other = AppName.make("black-box", "recorder")

const tokens = {
  "user full": { kind: "user", access: "full" },
  "user read-only": { kind: "user", access: "read-only" },
  "app full": { kind: "app", access: "full", app: own },
  "app read-only": { kind: "app", access: "read-only", app: own },
} satisfies Readonly<Record<string, ApiToken.Description>>

/** The rights of each token to the account, its own app and another app. */
const table = [
  ["user full", { account: "read change", own: "read change", other: "read change" }],
  ["user read-only", { account: "read", own: "read", other: "read" }],
  ["app full", { account: "", own: "read change", other: "" }],
  ["app read-only", { account: "", own: "read", other: "" }],
] as const

const subjects = { account: undefined, own, other }

describe("isAllowed", () => {
  it.each(table)("is the table of rights, for the token %s", (token, rights) => {
    for (const subject of ["account", "own", "other"] as const)
      for (const action of ["read", "change"] as const)
        expect(ApiToken.isAllowed(tokens[token], { action, app: subjects[subject] }), `${action} ${subject}`).toBe(
          rights[subject].includes(action),
        )
  })

  it("compares app names ignoring case", () => {
    const isAllowed = (app: AppName.AppName) => ApiToken.isAllowed(tokens["app full"], { action: "change", app })
    expect(isAllowed(AppName.make("Ada", "ATLAS"))).toBe(true)
    expect(isAllowed(AppName.make("ada", "atlas2"))).toBe(false)
  })

  it.live.each(table)("agrees with the sandbox, for the token %s", ([name]) =>
    Effect.gen(function* () {
      const token = tokens[name]
      const { accounts, baseUrl, tokens: created } = yield* Sandbox.make()
      const { value } = yield* created.create(
        token.kind === "user" ? token : { ...token, app: AppName.format(token.app) },
      )
      const client = yield* AppManagement.make({ baseUrl, apiToken: value })
      const common = { operation: "App", url: client.url("/v0.1/apps/ada/atlas"), decode: Decoder.ignore }
      const member = accounts.apps.find((app) => app.name === own.app)?.members.at(-1)?.user
      const email = Email.make(accounts.users.find((user) => user.name === member)?.email ?? "")
      for (const [call, scope] of [
        [client.user, { action: "read" }],
        [client.apps, { action: "read" }],
        [client.request({ ...common, method: "GET" }), { action: "read", app: own }],
        [client.request({ ...common, method: "PATCH", body: { description: "" } }), { action: "change", app: own }],
        [client.removeUser(own, email), { action: "change", app: own }],
      ] as const) {
        const result = yield* Effect.result<unknown, unknown, never>(call)
        if (ApiToken.isAllowed(token, scope)) expect(Result.isSuccess(result)).toBe(true)
        else expect(result).toMatchObject({ failure: { reason: { _tag: "Forbidden" } } })
      }
      // The service knows the role of the user of a user token.
      expect(yield* Effect.flip(client.removeUser(other, email))).toMatchObject({ reason: { _tag: "Forbidden" } })
    }).pipe(Effect.provide(FetchHttpClient.layer)),
  )
})
