import { describe, expect, it } from "@effect/vitest"
import type { Tokens } from "@vigil/sandbox"
import * as Effect from "effect/Effect"
import { member, start } from "./appmgmt.js"

/** The operations, in the order of the columns. */
const operations: ReadonlyArray<(app: string) => readonly [method: string, path: string]> = [
  () => ["GET", "/user"],
  () => ["GET", "/apps"],
  (app) => ["GET", `/apps/${app}`],
  (app) => ["DELETE", member(app, "zoe?&=#@vigil.example")],
]

const user = (access: Tokens.Access, name = "ada"): Tokens.Options => ({ kind: "user", access, user: name })
const app = (access: Tokens.Access): Tokens.Options => ({ kind: "app", access, app: "ada/atlas" })

/** User, token, app, and the status of each operation. */
const table: ReadonlyArray<
  readonly [who: string, token: Tokens.Options, app: string, ...statuses: ReadonlyArray<number>]
> = [
  //                                                                             user apps app  remove
  ["the owner, in full,", user("full"), "ada/atlas", 200, 200, 200, 204],
  ["the owner, read-only,", user("read-only"), "ada/atlas", 200, 200, 200, 403],
  ["an admin of the owner, in full,", user("full"), "fleet/dispatch", 200, 200, 200, 204],
  ["an admin of the owner, read-only,", user("read-only"), "fleet/dispatch", 200, 200, 200, 403],
  ["a collaborator of the owner", user("full", "Lin_Wu"), "north.star/compass", 200, 200, 200, 403],
  ["a manager", user("full", "Lin_Wu"), "fleet/dispatch", 200, 200, 200, 204],
  ["a developer, in full,", user("full"), "north.star/compass", 200, 200, 200, 403],
  ["a viewer, in full,", user("full"), "grace/night.watch", 200, 200, 200, 403],
  ["a viewer, read-only,", user("read-only"), "grace/night.watch", 200, 200, 200, 403],
  ["a tester, in full,", user("full"), "jurgen/pocket_map", 200, 200, 200, 403],
  ["a tester, read-only,", user("read-only"), "jurgen/pocket_map", 200, 200, 200, 403],
  ["a stranger, in full,", user("full"), "black-box/recorder", 200, 200, 403, 403],
  ["a stranger, read-only,", user("read-only"), "black-box/recorder", 200, 200, 403, 403],
  ["an app token, in full,", app("full"), "ada/atlas", 403, 403, 200, 204],
  ["an app token, read-only,", app("read-only"), "ada/atlas", 403, 403, 200, 403],
  ["an app token, in full,", app("full"), "fleet/dispatch", 403, 403, 403, 403],
  ["an app token, read-only,", app("read-only"), "fleet/dispatch", 403, 403, 403, 403],
  ["the owner, in full,", user("full"), "ada/nowhere", 200, 200, 404, 404],
  ["an app token, read-only,", app("read-only"), "ada/nowhere", 403, 403, 404, 404],
]

describe("the rights of a token", () => {
  it.live.each(table)("of %s in %3$s match the table", ([, token, name, ...expected]) =>
    Effect.gen(function* () {
      const { changeAccounts, sendAs } = yield* start()
      const zoe = { user: "zoe", permissions: ["viewer"] } as const
      yield* changeAccounts((accounts) => ({
        ...accounts,
        apps: accounts.apps.map((app) => ({
          ...app,
          members: [...app.members.filter(({ user }) => user !== "zoe"), zoe],
        })),
      }))
      const send = yield* sendAs(token)
      const responses = yield* Effect.forEach(operations, (operation) => send(...operation(name)))
      expect(responses.map(({ status }) => status)).toEqual(expected)
      for (const { body, status } of responses)
        if (status === 403)
          expect(body).toEqual({ statusCode: 403, code: "Forbidden", message: expect.stringMatching(/./) })
    }),
  )
})
