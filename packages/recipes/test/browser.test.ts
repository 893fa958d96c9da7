import { expect, it } from "@effect/vitest"
import { Sandbox } from "@vigil/sandbox"
import * as Effect from "effect/Effect"
import { vi } from "vitest"

/** What the page uses of a browser: an address, a store, and a body. */
const browserAt = (hash: string, dataset: Readonly<Record<string, string>>, stored: Map<string, string>) => {
  const page = { shown: [] as Array<string>, left: [] as Array<string>, kept: [] as Array<string> }
  vi.stubGlobal("document", { body: { dataset, append: (text: string) => page.shown.push(text) } })
  vi.stubGlobal("location", {
    hash,
    origin: "http://localhost:8080",
    pathname: "/status",
    assign: (to: string) => page.left.push(to),
  })
  vi.stubGlobal("history", { replaceState: (_: unknown, __: string, to: string) => page.kept.push(to) })
  vi.stubGlobal("sessionStorage", {
    getItem: (name: string) => stored.get(name) ?? null,
    removeItem: (name: string) => stored.delete(name),
    setItem: (name: string, value: string) => stored.set(name, value),
  })
  vi.resetModules()
  return Effect.as(
    Effect.promise(() => import("../examples/browser.js")),
    page,
  )
}

it.scopedLive("the page sends a person to sign in, and shows the events when they come back", () =>
  Effect.gen(function* () {
    const { baseUrl, world } = yield* Sandbox.make()
    const [{ id }] = world.subscriptions
    const dataset = { authUrl: baseUrl, baseUrl, clientId: "status-page", subscription: id }
    const stored = new Map<string, string>()

    const first = yield* browserAt("", dataset, stored)
    expect(first.shown).toEqual([])
    expect(first.left).toEqual([expect.stringContaining(`${baseUrl}/common/oauth2/authorize?`)])

    // The person, who is asked nothing, says yes.
    const answer = yield* Effect.promise(() => fetch(`${first.left[0]}&prompt=none`, { redirect: "manual" }))
    const back = new URL(answer.headers.get("location") ?? "")
    expect(back.origin + back.pathname).toBe("http://localhost:8080/status")

    const second = yield* browserAt(back.hash, dataset, stored)
    const listed = world.events.find(({ subscriptions }) => subscriptions.includes(id))
    expect(second.shown[0]).toBe(`${listed?.event.properties?.title} `)
    expect(second.kept).toEqual(["/status"])
    expect(stored.size).toBe(0)

    // The same answer, once more.
    const third = yield* browserAt(back.hash, dataset, stored)
    expect(third.shown).toEqual([expect.stringContaining("The answer to the sign-in holds another state")])
  }),
)
