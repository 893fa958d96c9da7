import { describe, expect, it } from "@effect/vitest"
import { Sandbox } from "@vigil/sandbox"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { ask } from "./client.js"

type Query = Readonly<Record<string, string>>

const home = "http://127.0.0.1:8421/done"
const validQuery: Query = {
  response_type: "token",
  client_id: "my-app",
  redirect_uri: home,
  scope: "user_impersonation",
  state: "s1",
}

/** A sandbox, and its response to a query. */
const start = Effect.map(Sandbox.make(), (sandbox) => {
  const get = (query: string) => Effect.orDie(ask(`${sandbox.baseUrl}/common/oauth2/authorize?${query}`))
  return { ...sandbox, get, authorize: (query: Query) => get(new URLSearchParams(query).toString()) }
})

const unescape = (text: string) => text.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)))

/** The URL of a link of the page. */
const link = (body: string, id: "allow" | "deny") =>
  unescape(new RegExp(`<a id="${id}" href="([^"]*)">`).exec(body)?.[1] ?? "")

/** The URL before the fragment, and the parameters of the fragment. */
const parts = (location: string | null) => {
  const [address = "", fragment = ""] = (location ?? "").split("#")
  return { address, fields: Object.fromEntries(new URLSearchParams(fragment)) }
}

const without = (name: string): Query => Object.fromEntries(Object.entries(validQuery).filter(([key]) => key !== name))

describe("the authorize page", () => {
  it.live("allows access with a link that contains a valid token", () =>
    Effect.gen(function* () {
      const { accessToken, authorize, baseUrl, world } = yield* start
      const { body } = yield* authorize({ ...validQuery, state: "a b&c=d#é" })
      const { address, fields } = parts(link(body, "allow"))
      expect(body).toContain("&#38;token_type=Bearer&#38;")
      expect(address).toBe(home)
      expect(fields).toEqual({
        access_token: Redacted.value(accessToken),
        token_type: "Bearer",
        expires_in: "3600",
        scope: "user_impersonation",
        state: "a b&c=d#é",
      })
      const list = `/subscriptions/${world.subscriptions[0].id}/providers/Vendor.ResourceHealth/events?api-version=2025-05-01`
      const headers = { authorization: `${fields["token_type"]} ${fields["access_token"]}` }
      expect((yield* ask(baseUrl + list, { headers })).status).toBe(200)
    }),
  )

  it.live("denies access with a link that contains an error and no token", () =>
    Effect.gen(function* () {
      const { authorize } = yield* start
      const { body } = yield* authorize(validQuery)
      expect(parts(link(body, "deny"))).toEqual({
        address: home,
        fields: { error: "access_denied", error_description: expect.stringMatching(/./), state: "s1" },
      })
    }),
  )

  it.live("escapes all parameters", () =>
    Effect.gen(function* () {
      const { authorize } = yield* start
      const opened = (text: string) => text.split("<").length
      const plain = yield* authorize(validQuery)
      const hostile = `"'><script>&\\`
      const redirect_uri = `https://app.example/${hostile}?${hostile}`
      const query = { ...validQuery, redirect_uri, client_id: `"'><b>&#60;`, state: `${hostile}\u202e` }
      const shown = yield* authorize(query)
      expect([shown.status, opened(shown.body)]).toEqual([200, opened(plain.body)])
      expect(shown.body).not.toContain("\u202e")
      const { address, fields } = parts(link(shown.body, "allow"))
      expect([address, fields["state"]]).toEqual([new URL(redirect_uri).href, query.state])
      const { headers, status } = yield* authorize({ ...query, prompt: "none" })
      expect(status).toBe(302)
      expect(headers.get("location")).toMatch(/^https:\/\/app\.example\/[!-~]*$/)
    }),
  )
})

describe("a redirect URL", () => {
  it.live.each(["https://app.example:8443/a?b=c", "http://localhost:8080/cb", "http://[::1]:8080/cb"])(
    "can be %s",
    (redirect_uri) =>
      Effect.gen(function* () {
        const { authorize } = yield* start
        const { headers, status } = yield* authorize({ ...validQuery, redirect_uri, prompt: "none" })
        expect(status).toBe(302)
        expect(parts(headers.get("location")).address).toBe(new URL(redirect_uri).href)
      }),
  )

  it.live.each([
    "/relative",
    "http://localhost.evil.example/",
    "https://good.example@evil.example/",
    "https://app.example/#fragment",
    "javascript:alert(1)",
    "https://app.example/\r\nset-cookie: a=b",
  ])("is rejected with an error page, without a redirect: %j", (redirect_uri) =>
    Effect.gen(function* () {
      const { authorize } = yield* start
      for (const query of [
        { ...validQuery, redirect_uri },
        { ...validQuery, redirect_uri, prompt: "none" },
        { redirect_uri },
        without("redirect_uri"),
      ]) {
        const { body, headers, status } = yield* authorize(query)
        expect(status).toBe(400)
        expect(headers.get("location")).toBeNull()
        expect(headers.get("content-type")).toBe("text/html; charset=utf-8")
        expect(body).toContain("redirect_uri")
        expect(body).not.toContain("<a ")
      }
    }),
  )
})

describe("an invalid request", () => {
  it.live.each([without("client_id"), { ...validQuery, client_id: "" }, { ...validQuery, client_id: "\u202eevil" }])(
    "gets an error page, not a redirect, if the client is unknown: %j",
    (query) =>
      Effect.gen(function* () {
        const { authorize } = yield* start
        const { body, headers, status } = yield* authorize({ ...query, prompt: "none" })
        expect([status, headers.get("location")]).toEqual([400, null])
        expect(body).toContain("client_id")
      }),
  )

  const wrong: ReadonlyArray<readonly [Query, string]> = [
    [without("response_type"), "invalid_request"],
    [{ ...validQuery, response_type: "code" }, "unsupported_response_type"],
    [{ ...validQuery, response_type: "id_token token" }, "unsupported_response_type"],
    [{ ...validQuery, scope: "a  b" }, "invalid_scope"],
    [{ ...validQuery, scope: 'a"b' }, "invalid_scope"],
  ]

  it.live.each(wrong)("gets a redirect with an error in the fragment: %j is %s", ([query, error]) =>
    Effect.gen(function* () {
      const { authorize } = yield* start
      for (const prompt of ["", "none"]) {
        const { headers, status } = yield* authorize({ ...query, prompt })
        expect(status).toBe(302)
        expect(parts(headers.get("location"))).toEqual({
          address: home,
          fields: { error, error_description: expect.stringMatching(/^[ !#-[\]-~]+$/), state: "s1" },
        })
      }
    }),
  )

  it.live.each(["response_type", "scope", "state", "nonce", "prompt"])("must not repeat %s", (name) =>
    Effect.gen(function* () {
      const { get } = yield* start
      const query = new URLSearchParams({ ...validQuery, nonce: "n", prompt: "none" })
      query.append(name, "token")
      const { headers, status } = yield* get(query.toString())
      expect(status).toBe(302)
      const { fields } = parts(headers.get("location"))
      expect(fields).toMatchObject({ error: "invalid_request", error_description: expect.stringContaining(name) })
      expect(fields["state"]).toBe(name === "state" ? undefined : "s1")
    }),
  )
})
