import { describe, expect, it } from "@effect/vitest"
import { Accounts } from "@vigil/sandbox"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { member, start } from "./appmgmt.js"

const text = expect.stringMatching(/./)
const appNotFound = {
  status: 404,
  body: { id: expect.stringMatching(/^[0-9a-f-]{36}$/), code: "AppNotFound", message: text },
}
const userNotFound = { status: 404, body: { error: { code: "UserNotFound", message: text } } }

describe("apps", () => {
  it.live("are listed for their members, with owners of both types", () =>
    Effect.gen(function* () {
      const { send } = yield* start()
      const { body } = yield* send("GET", "/apps")
      const apps = body as ReadonlyArray<Accounts.App>
      const names = apps.map(Accounts.fullName)
      expect(names).toEqual(expect.arrayContaining(["ada/atlas", "fleet/dispatch", "jurgen/pocket_map"]))
      expect(names).not.toContain("black-box/recorder")
      expect(apps[0]).toMatchObject({ name: "atlas", owner: { name: "ada", type: "user", email: "ada@vigil.example" } })
      expect(apps.find(({ name }) => name === "dispatch")?.owner).toEqual({
        id: text,
        name: "fleet",
        type: "org",
        display_name: "Fleet Operations",
      })
    }),
  )

  it.live("never contain their secret, and have a documented origin, like users", () =>
    Effect.gen(function* () {
      const { send } = yield* start()
      const { body: apps } = yield* send("GET", "/apps")
      const { body: profile } = yield* send("GET", "/user")
      for (const app of apps as ReadonlyArray<object>) {
        expect(app).toMatchObject({ app_secret: null })
        expect(app).not.toHaveProperty("members")
      }
      const records = [...(apps as ReadonlyArray<object>), profile]
      for (const record of records)
        expect(record).toMatchObject({
          origin: expect.stringMatching(/^(mobile-center|appcenter|hockeyapp|codepush)$/),
        })
    }),
  )
})

describe("the users of an app", () => {
  it.live("are removed once, by any valid email address", () =>
    Effect.gen(function* () {
      const { currentAccounts, send, sendAs } = yield* start()
      const members = Effect.map(currentAccounts, ({ apps }) => apps[0]?.members.map(({ user }) => user))
      const tom = yield* sendAs({ kind: "user", access: "full", user: "tom.tester" })
      expect((yield* tom("GET", "/apps/ada/atlas")).status).toBe(200)
      const before = yield* members
      for (const { email, name } of (yield* currentAccounts).users.slice(1)) {
        if (before?.includes(name))
          expect(yield* send("DELETE", member("ada/atlas", email))).toMatchObject({ status: 204, body: undefined })
        expect(yield* send("DELETE", member("ada/atlas", email))).toMatchObject(userNotFound)
      }
      expect(yield* members).toEqual(["ada"])
      expect((yield* tom("GET", "/apps/ada/atlas")).status).toBe(403)
    }),
  )

  it.live("are removed by exactly one of many concurrent requests", () =>
    Effect.gen(function* () {
      const { send } = yield* start()
      const remove = send("DELETE", member("ada/atlas", "ops+alerts@vigil.example"))
      const responses = yield* Effect.all(
        Array.from({ length: 20 }, () => remove),
        { concurrency: "unbounded" },
      )
      expect(responses.filter(({ status }) => status === 204)).toHaveLength(1)
      expect(responses.filter(({ status }) => status === 404)).toHaveLength(19)
    }),
  )

  it.live("are found by email address in any letter case, but only if it is one path segment", () =>
    Effect.gen(function* () {
      const { send } = yield* start()
      expect((yield* send("DELETE", member("fleet/dispatch", "lin.wu@VIGIL.example"))).status).toBe(204)
      for (const path of ["/apps/ada/atlas/users/tom/50%25off@vigil.example", "/apps/ada/atlas/users/%zz@x"])
        expect(yield* send("DELETE", path)).toMatchObject({ status: 404, body: { code: "Not Found" } })
    }),
  )

  it.live("are not removed if they own the app, or the app does not exist", () =>
    Effect.gen(function* () {
      const { send } = yield* start()
      expect(yield* send("DELETE", member("ada/atlas", "ada@vigil.example"))).toMatchObject({
        status: 409,
        body: { error: { code: "Conflict" } },
      })
      expect(yield* send("DELETE", member("ada/none", "ada@vigil.example"))).toMatchObject(appNotFound)
    }),
  )
})

describe("a request without a body", () => {
  it.live("gets a 411 if it is a POST, PUT or PATCH of any path, after the check of the token", () =>
    Effect.gen(function* () {
      const { send, sendWith } = yield* start()
      for (const method of ["POST", "PUT", "PATCH"])
        for (const path of ["/apps/ada/atlas", "/apps/ada/none/users", "/nowhere"]) {
          const lengthRequired = { status: 411, body: { statusCode: 411, code: "LengthRequired" } }
          expect(yield* send(method, path)).toMatchObject(lengthRequired)
          expect((yield* send(method, path, "{}")).status).not.toBe(411)
          expect((yield* sendWith(Redacted.make("wrong"))(method, path)).status).toBe(401)
        }
    }),
  )
})

describe("error responses", () => {
  it.live("have the form of this API, with an optional Retry-After", () =>
    Effect.gen(function* () {
      const { refuse, send } = yield* start()
      yield* refuse(({ method }) => (method === "GET" ? { status: 429, retryAfter: 7 } : 503))
      const { body, headers, status } = yield* send("GET", "/user")
      expect({ body, status }).toEqual({
        status: 429,
        body: { statusCode: 429, code: "RateLimitExceeded", message: text },
      })
      expect(headers.get("retry-after")).toBe("7")
      const other = yield* send("DELETE", "/user")
      expect(other).toMatchObject({ status: 503, body: { statusCode: 503, code: "ServiceUnavailable" } })
      expect(other.headers.has("retry-after")).toBe(false)
    }),
  )

  it.live("have a code with a space for unknown paths", () =>
    Effect.gen(function* () {
      const { send } = yield* start()
      for (const path of ["/nowhere", "/", "/apps/ada", "/apps//atlas"])
        expect(yield* send("GET", path)).toMatchObject({ status: 404, body: { statusCode: 404, code: "Not Found" } })
    }),
  )
})
