/** Compares the rights of tokens in the client's table with those of the sandbox. */
import { FetchHttpClient } from "@effect/platform"
import { describe, expect, it } from "@effect/vitest"
import { ApiToken, AppManagement, type AppManagementError, AppName, Email } from "@vigil/appmgmt-client"
import { Sandbox } from "@vigil/sandbox"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"

/** An app that the default user manages, and one that is inaccessible. */
const apps = { own: AppName.make("ada", "atlas"), other: AppName.make("black-box", "recorder") }

const kinds = ["user", "app"] as const
const accesses = ["full", "read-only"] as const
const operations = ["user", "apps", "read", "change", "removeUser"] as const
const subjects = ["own", "other"] as const

/**
 * The document's table: whether a call is sent, and the response, for each token and operation on the own app and on another app. A single
 * entry applies to both. The service knows the role of the user of a user token.
 */
const table: Readonly<
  Record<
    `${(typeof kinds)[number]} ${(typeof accesses)[number]}`,
    Readonly<Record<(typeof operations)[number], string>>
  >
> = {
  "user full": {
    user: "sent 200",
    apps: "sent 200",
    read: "sent 200 | sent 403",
    change: "sent 200 | sent 403",
    removeUser: "sent 204 | sent 403",
  },
  "user read-only": {
    user: "sent 200",
    apps: "sent 200",
    read: "sent 200 | sent 403",
    change: "blocked 403",
    removeUser: "blocked 403",
  },
  "app full": {
    user: "blocked 403",
    apps: "blocked 403",
    read: "sent 200 | blocked 403",
    change: "sent 200 | blocked 403",
    removeUser: "sent 204 | blocked 403",
  },
  "app read-only": {
    user: "blocked 403",
    apps: "blocked 403",
    read: "sent 200 | blocked 403",
    change: "blocked 403",
    removeUser: "blocked 403",
  },
}

const cells = kinds.flatMap((kind) =>
  accesses.flatMap((access) =>
    operations.flatMap((operation) => subjects.map((subject) => ({ kind, access, operation, subject }))),
  ),
)

describe("a token", () => {
  it.scopedLive.each(cells)("($kind, $access) gets the table's result for $operation of the $subject app", (cell) =>
    Effect.gen(function* () {
      const { access, kind, operation, subject } = cell
      const { baseUrl, currentAccounts, requests, tokens } = yield* Sandbox.make()
      const own = AppName.format(apps.own)
      const created = yield* tokens.create(kind === "user" ? { kind, access } : { kind, access, app: own })
      const secret = created.value
      const token =
        kind === "user" ? ApiToken.user({ secret, access }) : ApiToken.app({ secret, app: apps.own, access })
      const name = apps[subject]
      const path = ["apps", name.owner, name.app]
      const { apps: all, users } = yield* currentAccounts
      const [member] =
        all.find(({ name: app, owner }) => owner.name === name.owner && app === name.app)?.members.toReversed() ?? []
      const email = Email.make(users.find((user) => user.name === member?.user)?.email ?? "")

      const run = (
        client: AppManagement.Service,
      ): Effect.Effect<unknown, AppManagementError.RemoveUserError | AppManagementError.CustomError> => {
        switch (operation) {
          case "user":
            return client.user
          case "apps":
            return client.apps
          case "read":
            return client.request({ method: "GET", path, response: Schema.Unknown })
          case "change":
            return client.request({
              method: "PATCH",
              path,
              request: Schema.Struct({ description: Schema.String }),
              body: { description: "New" },
              response: Schema.Unknown,
            })
          case "removeUser":
            return client.removeUser(name, email)
        }
      }

      /** The client whose token has a description. */
      const declared = yield* AppManagement.make({ baseUrl, apiToken: token })
      const before = (yield* requests).length
      const result = yield* Effect.either(run(declared))
      const sent = (yield* requests).length > before
      if (!sent) expect(result).toMatchObject({ left: { _tag: "TokenScopeError", token: { kind, access } } })

      /** The response of the service to a client without a description of its token. */
      const response = sent
        ? result
        : yield* Effect.flatMap(AppManagement.make({ baseUrl, apiToken: created.value }), (client) =>
            Effect.either(run(client)),
          )
      const status = Either.match(response, {
        onLeft: (error) => ("status" in error ? error.status : 0),
        onRight: () => (operation === "removeUser" ? 204 : 200),
      })

      const expected = table[`${kind} ${access}`][operation].split(" | ")
      expect(`${sent ? "sent" : "blocked"} ${status}`).toBe(expected[subject === "own" ? 0 : expected.length - 1])
      // The service would have rejected a call that was not sent.
      if (!sent) expect(status).toBe(403)
    }).pipe(Effect.provide(FetchHttpClient.layer)),
  )

  it("is tested with every cell of the table", () => {
    expect(cells).toHaveLength(2 * 2 * 5 * 2)
  })
})
