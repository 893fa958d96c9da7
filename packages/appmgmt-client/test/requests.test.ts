/** The requests that the service receives, byte for byte. */
import { describe, expect, it } from "@effect/vitest"
import { AppName, Decoder, Email } from "@vigil/appmgmt-client"
import { Request } from "@vigil/core-http"
import { Faults, Reply } from "@vigil/sandbox"
import * as Effect from "effect/Effect"
import { ada, runCall, canary, connect, layers, shop } from "./harness.js"

const done = [Reply.empty(204)]
const get = { operation: "Custom", method: "GET", decode: Decoder.ignore } as const

/** Email addresses and their path segments. */
const emails = [
  ["ada@contoso.example", "ada%40contoso.example"],
  ["ada+alerts@contoso.example", "ada%2Balerts%40contoso.example"],
  ["a/b@contoso.example", "a%2Fb%40contoso.example"],
  ["../../apps@contoso.example", "..%2F..%2Fapps%40contoso.example"],
  ["50%25@contoso.example", "50%2525%40contoso.example"],
  ["%2e%2e@contoso.example", "%252e%252e%40contoso.example"],
  ["o'neill@contoso.example", "o'neill%40contoso.example"],
  ["ada lovelace@contoso.example", "ada%20lovelace%40contoso.example"],
  ["ada?a=b&c#d@contoso.example", "ada%3Fa%3Db%26c%23d%40contoso.example"],
  ["a\\b@contoso.example", "a%5Cb%40contoso.example"],
  ['"ada@home"@contoso.example', "%22ada%40home%22%40contoso.example"],
  ["zürich@bücher.example", "z%C3%BCrich%40b%C3%BCcher.example"],
  ["😀@contoso.example", "%F0%9F%98%80%40contoso.example"],
  ["..@..", "..%40.."],
] as const

/** Names of owners and apps, and their path segments. */
const names = [
  ["a b", "a%20b"],
  ["ünï", "%C3%BCn%C3%AF"],
  ["a+b", "a%2Bb"],
  ["o'neill", "o'neill"],
  ["a:b", "a%3Ab"],
  ["ada@home", "ada%40home"],
  ["...", "..."],
  ["-_.!~*()", "-_.!~*()"],
  ["a;b=c,d&e$f", "a%3Bb%3Dc%2Cd%26e%24f"],
  ['[1]|{2}^`<>"', "%5B1%5D%7C%7B2%7D%5E%60%3C%3E%22"],
  ["users", "users"],
] as const

describe.each(layers)("over %s", (_, layer) => {
  it.live("user and apps send a GET with the token and without a body", () =>
    Effect.gen(function* () {
      const { requests } = yield* runCall([Reply.json({}), Reply.json([])], (apps) => Effect.zip(apps.user, apps.apps))
      expect(requests).toMatchObject([
        { method: "GET", target: "/v0.1/user", body: "", headers: { "x-api-token": canary } },
        { method: "GET", target: "/v0.1/apps", body: "", headers: { "x-api-token": canary } },
      ])
    }).pipe(Effect.provide(layer)),
  )

  it.live("removing a user sends a DELETE without a body", () =>
    Effect.gen(function* () {
      const { requests } = yield* runCall(done, (apps) => apps.removeUser(shop, ada))
      expect(requests).toMatchObject([
        { method: "DELETE", target: "/v0.1/apps/contoso/shop/users/ada%40contoso.example", body: "" },
      ])
      expect(requests[0]?.headers).not.toHaveProperty("content-type")
    }).pipe(Effect.provide(layer)),
  )

  it.live.each(emails)("the email address %s is encoded as the segment %s", ([email, segment]) =>
    Effect.gen(function* () {
      const { requests } = yield* runCall(done, (apps) => apps.removeUser(shop, Email.make(email)))
      expect(requests.map(({ target }) => target)).toEqual([`/v0.1/apps/contoso/shop/users/${segment}`])
    }).pipe(Effect.provide(layer)),
  )

  it.live.each(names)("the name %s of an owner or an app is encoded as the segment %s", ([name, segment]) =>
    Effect.gen(function* () {
      const { requests } = yield* runCall(done, (apps) => apps.removeUser(AppName.make(name, name), ada))
      expect(requests.map(({ target }) => target)).toEqual([
        `/v0.1/apps/${segment}/${segment}/users/ada%40contoso.example`,
      ])
    }).pipe(Effect.provide(layer)),
  )

  it.live("a URL keeps the path of the base URL, and encodes its query", () =>
    Effect.gen(function* () {
      const { origin, requests } = yield* Faults.serve([Reply.json(1)])
      const apps = yield* connect(`${origin}/base/`)
      const url = apps.url("/v0.1/apps", { "a b": "c&d=e", $top: "1+1" })
      yield* apps.request({ ...get, url })
      expect((yield* requests)[0]?.target).toBe("/base/v0.1/apps?a%20b=c%26d%3De&$top=1%2B1")
    }).pipe(Effect.provide(layer)),
  )

  it.live("a request sends its body as JSON, and {} without one", () =>
    Effect.gen(function* () {
      const { requests } = yield* runCall([Reply.json(1)], (apps) =>
        Effect.all([
          apps.request({ ...get, url: "/v0.1/x", method: "PATCH", body: { name: "Zürich", note: undefined } }),
          apps.request({ ...get, url: "/v0.1/x", method: "PUT", body: [] }),
          apps.request({ ...get, url: "/v0.1/x", method: "POST", body: {} }),
          apps.request({ ...get, url: "/v0.1/x", method: "POST", body: Request.noBody }),
        ]),
      )
      expect(requests.map(({ body }) => body)).toEqual([`{"name":"Zürich"}`, "[]", "{}", "{}"])
      expect(requests[3]?.headers).toMatchObject({ "content-length": "2", "content-type": "application/json" })
    }).pipe(Effect.provide(layer)),
  )

  it.live("a GET or DELETE request sends no body", () =>
    Effect.gen(function* () {
      const { requests } = yield* runCall([Reply.json(1)], (apps) =>
        Effect.zip(
          apps.request({ ...get, url: "/v0.1/x" }),
          apps.request({ ...get, url: "/v0.1/x", method: "DELETE" }),
        ),
      )
      expect(requests).toMatchObject([{ body: "" }, { body: "" }])
      for (const { headers } of requests) expect(headers).not.toHaveProperty("content-type")
    }).pipe(Effect.provide(layer)),
  )
})
