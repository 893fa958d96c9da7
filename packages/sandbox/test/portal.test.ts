import { describe, expect, it } from "@effect/vitest"
import { Accounts } from "@vigil/sandbox"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { start as startSandbox } from "./appmgmt.js"
import { ask, speak } from "./client.js"

/** A sandbox, its portal, and a browser that sends forms. */
const start = Effect.map(startSandbox(), (sandbox) => {
  const { baseUrl } = sandbox
  const own = { origin: baseUrl, "sec-fetch-site": "same-origin" }
  const get = (path: string) => Effect.orDie(ask(baseUrl + path))
  const post = (path: string, fields: Record<string, string> = {}, headers: Record<string, string> = own) =>
    Effect.orDie(ask(baseUrl + path, { method: "POST", headers, body: new URLSearchParams(fields) }))
  const create = (fields: Record<string, string>, headers: Record<string, string> = own) =>
    post("/portal/tokens", { name: "build", access: "full", app: "", ...fields }, headers)
  return { ...sandbox, own, get, post, create }
})

const valueOf = (page: string): string => /<code id="value">([^<]+)<\/code>/.exec(page)?.[1] ?? ""

describe("the portal", () => {
  it.live("creates a valid token, and shows its value once", () =>
    Effect.gen(function* () {
      const { create, get, sendWith, tokens } = yield* start
      const { body, headers, status } = yield* create({ app: "ada/atlas" })
      expect(status).toBe(201)
      expect(headers.get("cache-control")).toBe("no-store")
      const value = valueOf(body)
      const send = sendWith(Redacted.make(value))
      expect((yield* send("GET", "/apps/ada/atlas")).status).toBe(200)
      expect((yield* send("GET", "/user")).status).toBe(403)
      expect(yield* tokens.list).toMatchObject([{}, { name: "build", kind: "app", access: "full", app: "ada/atlas" }])
      const page = yield* get("/portal")
      expect(page.body).toContain("<td>build</td><td>app</td><td>full</td><td>ada/atlas</td>")
      expect(page.body).not.toContain(value)
    }),
  )

  it.live("deletes only tokens of the account", () =>
    Effect.gen(function* () {
      const { get, post, send, tokens } = yield* start
      const foreign = yield* tokens.create({ kind: "user", access: "full", user: "grace" })
      const [, path = ""] = /action="(\/portal\/tokens\/[^"]+\/delete)"/.exec((yield* get("/portal")).body) ?? []
      const { headers, status } = yield* post(path)
      expect([status, headers.get("location")]).toEqual([303, "/portal"])
      expect((yield* send("GET", "/user")).status).toBe(401)
      expect((yield* post(path)).status).toBe(404)
      expect((yield* post(`/portal/tokens/${foreign.id}/delete`)).status).toBe(404)
      expect(yield* tokens.list).toMatchObject([{ id: foreign.id }])
    }),
  )

  it.live.each([
    [400, "without a name", { name: "" }],
    [400, "with a long name", { name: "x".repeat(101) }],
    [400, "with unknown access", { access: "all" }],
    [403, "for an app of others", { app: "north.star/compass" }],
    [404, "for an unknown app", { app: "ada/<none>" }],
    [413, "of more than 1 MB", { name: "x".repeat(1_000_001) }],
  ] as const)("responds with %d and the reason to a form %s, and creates no token", ([status, , fields]) =>
    Effect.gen(function* () {
      const { create, tokens } = yield* start
      const response = yield* create(fields)
      expect(response.status).toBe(status)
      expect(response.body).toMatch(/<title>Error<\/title>.*<p>[A-Z].+\.<\/p>\n<p><a href="\/portal">/s)
      expect(response.body).not.toContain("<none>")
      expect(yield* tokens.list).toHaveLength(1)
    }),
  )

  it.live("accepts only forms of its own pages", () =>
    Effect.gen(function* () {
      const { baseUrl, create, own, post, tokens } = yield* start
      const [first] = yield* tokens.list
      for (const headers of [
        {},
        { origin: "null" },
        { origin: "https://evil.example" },
        { origin: baseUrl.replace("http:", "https:") },
        { origin: `${baseUrl}0` },
        { ...own, "sec-fetch-site": "same-site" },
        { ...own, "sec-fetch-site": "cross-site" },
      ]) {
        expect((yield* create({}, headers)).status).toBe(403)
        expect((yield* post(`/portal/tokens/${first?.id}/delete`, {}, headers)).status).toBe(403)
      }
      expect(yield* tokens.list).toEqual([first])
      expect((yield* create({}, { origin: baseUrl })).status).toBe(201)
    }),
  )

  it.live("rejects requests to other host names", () =>
    Effect.gen(function* () {
      const { baseUrl, tokens } = yield* start
      const { port } = new URL(baseUrl)
      const evil = `host: evil.example:${port}\r\norigin: http://evil.example:${port}\r\nconnection: close\r\n`
      for (const head of ["GET /portal", "POST /portal/tokens"]) {
        const { text } = yield* speak(baseUrl, `${head} HTTP/1.1\r\n${evil}content-length: 0\r\n\r\n`)
        expect(text).toMatch(/^HTTP\/1\.1 403 /)
      }
      const { text } = yield* speak(
        baseUrl,
        `GET /portal HTTP/1.1\r\nhost: localhost:${port}\r\nconnection: close\r\n\r\n`,
      )
      expect(text).toMatch(/^HTTP\/1\.1 200 /)
      expect(yield* tokens.list).toHaveLength(1)
    }),
  )

  it.live("prevents scripts and external resources, and escapes text", () =>
    Effect.gen(function* () {
      const { create, get } = yield* start
      yield* create({ name: `"><script>alert(1)</script>'&` })
      const pages = yield* Effect.all([get("/portal"), create({ name: "<b>" }), get("/orgs/fleet/apps/dispatch")])
      for (const { body, headers } of pages) {
        expect(headers.get("content-type")).toBe("text/html; charset=utf-8")
        expect(headers.get("referrer-policy")).toMatch(/^(no-referrer|same-origin)$/)
        expect(headers.get("content-security-policy")).toMatch(
          /^default-src 'none'; style-src 'sha256-[^']+'; base-uri 'none'; form-action '(none|self)'; frame-ancestors 'none'$/,
        )
        expect(body).not.toMatch(/<script|<b>|<beta>|src=|https?:/)
      }
      expect(pages[0].body).toContain("&#34;&#62;&#60;script&#62;alert(1)&#60;/script&#62;&#39;&#38;")
    }),
  )
})

describe("the page of an app", () => {
  it.live("exists for every app, at a path that depends on the owner's type", () =>
    Effect.gen(function* () {
      const { accounts, get } = yield* start
      for (const { name, owner } of accounts.apps) {
        const [here, there] = owner.type === "org" ? ["orgs", "users"] : ["users", "orgs"]
        const found = yield* get(`/${here}/${owner.name}/apps/${name}`)
        expect(found.status).toBe(200)
        expect(found.body).toContain(`<code>${Accounts.fullName({ name, owner })}</code>`)
        expect((yield* get(`/${there}/${owner.name}/apps/${name}`)).status).toBe(404)
      }
      expect((yield* get("/users/ada/apps/none")).status).toBe(404)
    }),
  )
})
