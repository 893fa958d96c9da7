/** The requests that the service receives, byte for byte. */
import { describe, expect, it } from "@effect/vitest"
import { AppName, Decoder, Email } from "@vigil/appmgmt-client"
import { Request } from "@vigil/core-http"
import { Reply } from "@vigil/sandbox"
import { layers } from "@vigil/testing/HttpStack"
import * as Effect from "effect/Effect"
import { ada, runCall, shop } from "./harness.js"

const custom = { operation: "Custom", url: "/v0.1/x", decode: Decoder.ignore }

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

  it.live("a POST, PUT or PATCH has a body, {} if it is empty", () =>
    Effect.gen(function* () {
      const bodies = [
        [{ name: "Zürich", note: undefined }, `{"name":"Zürich"}`],
        [new Request.JsonText({ text: "[1e400]" }), "[1e400]"],
        [new URLSearchParams({ a: "b" }), "a=b"],
        [null, "null"],
        [{}, "{}"],
        [new Request.JsonText({ text: " " }), "{}"],
        [new URLSearchParams(), "{}"],
      ] as const
      const { requests } = yield* runCall([Reply.json(1)], (apps) =>
        Effect.all([
          ...bodies.map(([body], n) => apps.request({ ...custom, method: n % 2 === 0 ? "PATCH" : "PUT", body })),
          // @ts-expect-error -- the service requires a body
          apps.request({ ...custom, method: "POST", body: Request.noBody }),
        ]),
      )
      expect(requests.map(({ body }) => body)).toEqual([...bodies.map(([, sent]) => sent), "{}"])
      expect(requests.at(-1)).toMatchObject({ headers: { "content-length": "2", "content-type": "application/json" } })
    }).pipe(Effect.provide(layer)),
  )
})
