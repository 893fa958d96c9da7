/** The requests that the service receives, byte for byte. */
import { describe, expect, it } from "@effect/vitest"
import { AppName, Email } from "@vigil/appmgmt-client"
import { Reply } from "@vigil/sandbox"
import { layers } from "@vigil/testing/HttpStack"
import { HttpBody, UrlParams } from "effect/http"
import * as Effect from "effect/Effect"
import { ada, runCall, shop } from "./harness.js"

describe.each(layers)("over %s", (_, layer) => {
  it.live("operations send the token, and no body", () =>
    Effect.gen(function* () {
      const { requests } = yield* runCall([Reply.json({}), Reply.json([]), Reply.empty(204)], (apps) =>
        Effect.all([apps.user, apps.apps, apps.removeUser(shop, ada)]),
      )
      expect(requests).toMatchObject([
        { method: "GET", target: "/v0.1/user", body: "" },
        { method: "GET", target: "/v0.1/apps", body: "" },
        { method: "DELETE", target: "/v0.1/apps/contoso/shop/users/ada%40contoso.example", body: "" },
      ])
      for (const { headers } of requests) expect(headers).not.toHaveProperty("content-type")
    }).pipe(Effect.provide(layer)),
  )

  it.live("an email address, an owner and an app are one segment each", () =>
    Effect.gen(function* () {
      for (const [name, email, path] of [
        ["a b", "ada+x@c.example", "a%20b/a%20b/users/ada%2Bx%40c.example"],
        ["ünï", "../../apps@c.example", "%C3%BCn%C3%AF/%C3%BCn%C3%AF/users/..%2F..%2Fapps%40c.example"],
        ["o'neill", "o'n%2e?a=b#c\\d@é.example", "o'neill/o'neill/users/o'n%252e%3Fa%3Db%23c%5Cd%40%C3%A9.example"],
        ["...", "..@..", ".../.../users/..%40.."],
        ['[1]|{2}^`<>"', "😀@c", `${"%5B1%5D%7C%7B2%7D%5E%60%3C%3E%22/".repeat(2)}users/%F0%9F%98%80%40c`],
      ] as const) {
        const call = runCall([Reply.empty(204)], (apps) => apps.removeUser(AppName.make(name, name), Email.make(email)))
        expect((yield* call).requests.map(({ target }) => target)).toEqual([`/v0.1/apps/${path}`])
      }
    }).pipe(Effect.provide(layer)),
  )

  it.live("a POST, PUT or PATCH has a body, {} if it is empty, with the caller's type of JSON", () =>
    Effect.gen(function* () {
      const path = "/v0.1/x"
      const [json, merge] = ["application/json", "application/merge-patch+json"]
      const { requests } = yield* runCall([Reply.json(1)], ({ httpClient }) =>
        Effect.all([
          httpClient.patch(path, { body: HttpBody.jsonUnsafe({ name: "Zürich" }) }),
          httpClient.put(path, { body: HttpBody.urlParams(UrlParams.fromInput({ a: "b" })) }),
          httpClient.patch(path, { body: HttpBody.text("") }),
          httpClient.put(path),
          httpClient.post(path),
          httpClient.del(path),
          httpClient.patch(path, { headers: { "content-type": merge } }),
          httpClient.patch(path, { body: HttpBody.text("", merge) }),
        ]),
      )
      expect(requests.map(({ body }) => body)).toEqual([`{"name":"Zürich"}`, "a=b", "{}", "{}", "{}", "", "{}", "{}"])
      const types = requests.map(({ headers }) => headers["content-type"])
      expect(types.slice(2)).toEqual([json, json, json, undefined, merge, merge])
      expect(requests[4]).toMatchObject({ headers: { "content-length": "2" } })
    }).pipe(Effect.provide(layer)),
  )
})
