/** The requests that the service receives, byte for byte. */
import { describe, expect, it } from "@effect/vitest"
import { AppName, Email } from "@vigil/appmgmt-client"
import { Reply } from "@vigil/sandbox"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { ada, anyLayer, runCall, canary, layers, shop } from "./harness.js"

const done = [Reply.empty(204)]
const anything = Schema.Unknown

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

/** Segments that are valid in custom requests only. */
const segments = [
  ["a/b", "a%2Fb"],
  ["a?b", "a%3Fb"],
  ["a#b", "a%23b"],
  ["a\\b", "a%5Cb"],
  ["%2e%2e", "%252e%252e"],
  ["../..", "..%2F.."],
  ["a\nb", "a%0Ab"],
  ["//evil.example", "%2F%2Fevil.example"],
] as const

describe.each(layers)("over %s", (_, layer) => {
  it.scopedLive("user and apps send a GET with the token and without a body", () =>
    Effect.gen(function* () {
      const { requests } = yield* runCall([Reply.json({}), Reply.json([])], (apps) => Effect.zip(apps.user, apps.apps))
      expect(requests).toMatchObject([
        { method: "GET", target: "/v0.1/user", body: "", headers: { "x-api-token": canary } },
        { method: "GET", target: "/v0.1/apps", body: "", headers: { "x-api-token": canary } },
      ])
    }).pipe(Effect.provide(layer)),
  )

  it.scopedLive("removing a user sends a DELETE without a body", () =>
    Effect.gen(function* () {
      const { requests } = yield* runCall(done, (apps) => apps.removeUser(shop, ada))
      expect(requests).toMatchObject([
        { method: "DELETE", target: "/v0.1/apps/contoso/shop/users/ada%40contoso.example", body: "" },
      ])
      expect(requests[0]?.headers).not.toHaveProperty("content-type")
    }).pipe(Effect.provide(layer)),
  )

  it.scopedLive.each(emails)("the email address %s is encoded as the segment %s", ([email, segment]) =>
    Effect.gen(function* () {
      const { requests } = yield* runCall(done, (apps) => apps.removeUser(shop, Email.make(email)))
      expect(requests.map(({ target }) => target)).toEqual([`/v0.1/apps/contoso/shop/users/${segment}`])
    }).pipe(Effect.provide(layer)),
  )

  it.scopedLive.each(names)("the name %s of an owner or an app is encoded as the segment %s", ([name, segment]) =>
    Effect.gen(function* () {
      const { requests } = yield* runCall(done, (apps) => apps.removeUser(AppName.make(name, name), ada))
      expect(requests.map(({ target }) => target)).toEqual([
        `/v0.1/apps/${segment}/${segment}/users/ada%40contoso.example`,
      ])
    }).pipe(Effect.provide(layer)),
  )

  it.scopedLive.each([...emails, ...names, ...segments])("%j in a custom path is encoded as %s", ([text, segment]) =>
    Effect.gen(function* () {
      const { requests } = yield* runCall([Reply.json(1)], (apps) =>
        apps.request({ method: "GET", path: ["apps", text, "x"], response: anything }),
      )
      expect(requests).toMatchObject([{ method: "GET", target: `/v0.1/apps/${segment}/x`, body: "" }])
    }).pipe(Effect.provide(layer)),
  )

  it.scopedLive("a custom query is encoded, and nothing is added", () =>
    Effect.gen(function* () {
      const query = { "a b": "c&d=e", $top: "1+1", ü: "\ud800", empty: "" }
      const { requests } = yield* runCall([Reply.json(1)], (apps) =>
        apps.request({ method: "GET", path: ["apps"], query, response: anything }),
      )
      expect(requests[0]?.target).toBe("/v0.1/apps?a%20b=c%26d%3De&$top=1%2B1&%C3%BC=%EF%BF%BD&empty=")
    }).pipe(Effect.provide(layer)),
  )
})

describe("a custom path", () => {
  const unpairedSurrogate = "\udc00"
  it.scopedLive.each([
    [["..", "user"], 0],
    [["apps", "..", "user"], 1],
    [["apps", "."], 1],
    [["apps", "", "shop"], 1],
    [["apps", "contoso", "shop", ""], 3],
    [[""], 0],
    [["apps", "a\ud800"], 1],
    [["apps", "contoso", unpairedSurrogate], 2],
  ] as const)("%j fails at segment %i, and nothing is sent", ([path, index]) =>
    Effect.gen(function* () {
      const response = Schema.Unknown
      const both = yield* runCall([Reply.json(1)], (apps) =>
        Effect.all([
          Effect.either(apps.request({ method: "GET", path, response, operation: "Apps.read" })),
          Effect.either(apps.request({ method: "POST", path, response, request: Schema.Void, body: undefined })),
        ]),
      )
      expect(both.requests).toEqual([])
      const [read, change] = Either.getOrThrow(both.result)
      expect(read).toMatchObject({ left: { _tag: "InvalidPath", operation: "Apps.read", index } })
      expect(change).toMatchObject({ left: { _tag: "InvalidPath", operation: "AppManagement.request", index } })
      expect(Either.flip(read).pipe(Either.getOrThrow, ({ message }) => message)).toBe(
        `Apps.read: path segment ${index} (starting at 0) is empty, "." or "..", or contains an unpaired surrogate. Nothing was sent.`,
      )
    }).pipe(Effect.provide(anyLayer)),
  )

  it.scopedLive("can contain a segment of three dots", () =>
    Effect.gen(function* () {
      const { requests } = yield* runCall([Reply.json(1)], (apps) =>
        apps.request({ method: "GET", path: ["..."], response: anything }),
      )
      expect(requests[0]?.target).toBe("/v0.1/...")
    }).pipe(Effect.provide(anyLayer)),
  )
})
