import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { ask } from "./client.js"
import { start } from "./service.js"

it.live("an app has a page at the URL of its owner's type", () =>
  Effect.gen(function* () {
    const { baseUrl } = yield* start()
    const get = (path: string) => ask(baseUrl + path)
    const { body, headers, status } = yield* get("/orgs/fleet/apps/dispatch")
    expect(status).toBe(200)
    expect(body).toContain("<h1>Dispatch &#60;beta&#62;</h1>")
    expect(headers.get("content-security-policy")).toContain("default-src 'none'")
    expect((yield* get("/users/ada/apps/atlas")).status).toBe(200)
    for (const path of ["/users/fleet/apps/dispatch", "/orgs/fleet/apps/none"])
      expect((yield* get(path)).status).toBe(404)
  }),
)
