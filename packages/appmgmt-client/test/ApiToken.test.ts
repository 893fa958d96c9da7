import { describe, expect, it } from "@effect/vitest"
import { ApiToken, AppManagement, AppName, Decoder, Email } from "@vigil/appmgmt-client"
import { Sandbox } from "@vigil/sandbox"
import { oneLayer } from "@vigil/testing/HttpStack"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"

const own = AppName.make("ada", "atlas")
const other = AppName.make("black-box", "recorder")
const sameAsOwn = AppName.make("Ada", "ATLAS")

/** What each token may do, to the account, its own app and another app. */
const table: ReadonlyArray<readonly [ApiToken.Description, account: string, own: string, other: string]> = [
  [{ kind: "user", access: "full" }, "read change", "read change", "read change"],
  [{ kind: "user", access: "read-only" }, "read", "read", "read"],
  [{ kind: "app", access: "full", app: own }, "", "read change", ""],
  [{ kind: "app", access: "read-only", app: own }, "", "read", ""],
]

describe("isAllowed", () => {
  it.each(table)("is the table of rights, for %j", (token, ...rights) => {
    for (const [index, apps] of [[undefined], [own, sameAsOwn], [other]].entries())
      for (const app of apps)
        for (const action of ["read", "change"] as const)
          expect(ApiToken.isAllowed(token, { action, app })).toBe(rights[index]?.includes(action))
  })

  it.live.each(table)("agrees with the sandbox, for %j", ([token]) =>
    Effect.gen(function* () {
      const { accounts, baseUrl, tokens } = yield* Sandbox.make()
      const { value } = yield* tokens.create(
        token.kind === "user" ? token : { ...token, app: AppName.format(token.app) },
      )
      const client = yield* AppManagement.make({ baseUrl, apiToken: value })
      const common = { operation: "App", url: client.url("/v0.1/apps/ada/atlas"), decode: Decoder.ignore }
      const member = accounts.apps.find(({ name }) => name === own.app)?.members.at(-1)?.user
      const email = Email.make(accounts.users.find(({ name }) => name === member)?.email ?? "")
      for (const [call, scope] of [
        [client.user, { action: "read" }],
        [client.request({ ...common, method: "GET" }), { action: "read", app: own }],
        [client.request({ ...common, method: "PATCH", body: { description: "" } }), { action: "change", app: own }],
        [client.removeUser(own, email), { action: "change", app: own }],
      ] as const) {
        const result = yield* Effect.result<unknown, unknown, never>(call)
        if (ApiToken.isAllowed(token, scope)) expect(Result.isSuccess(result)).toBe(true)
        else expect(result).toMatchObject({ failure: { reason: { _tag: "Forbidden" } } })
      }
    }).pipe(Effect.provide(oneLayer)),
  )
})
