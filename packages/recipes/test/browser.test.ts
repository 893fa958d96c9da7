import { expect, it } from "@effect/vitest"
import { Sandbox } from "@vigil/sandbox"
import * as Effect from "effect/Effect"
import { vi } from "vitest"

/** Stubs the parts of a browser that the page uses, then runs the page. */
const runPage = (hash: string, dataset: Readonly<Record<string, string>>, stored: Map<string, string>) => {
  const page = { texts: [] as Array<string>, redirects: [] as Array<string>, replaced: [] as Array<string> }
  vi.stubGlobal("document", { body: { dataset, append: (text: string) => page.texts.push(text) } })
  vi.stubGlobal("location", {
    hash,
    origin: "http://localhost:8080",
    pathname: "/status",
    assign: (url: string) => page.redirects.push(url),
  })
  vi.stubGlobal("history", { replaceState: (_: unknown, __: string, url: string) => page.replaced.push(url) })
  vi.stubGlobal("sessionStorage", {
    getItem: (name: string) => stored.get(name) ?? null,
    removeItem: (name: string) => stored.delete(name),
    setItem: (name: string, value: string) => stored.set(name, value),
  })
  return Effect.as(
    Effect.promise(() => import(/* @vite-ignore */ `../examples/browser.js?${crypto.randomUUID()}`)),
    page,
  )
}

it.live("redirects to the sign-in, then shows the events", () =>
  Effect.gen(function* () {
    const { baseUrl, world } = yield* Sandbox.make()
    const [{ id }] = world.subscriptions
    const dataset = { authUrl: baseUrl, baseUrl, clientId: "status-page", subscription: id }
    const stored = new Map<string, string>()

    const first = yield* runPage("", dataset, stored)
    expect(first.texts).toEqual([])
    expect(first.redirects).toEqual([expect.stringContaining(`${baseUrl}/common/oauth2/authorize?`)])

    // With prompt=none, the sandbox asks no questions.
    const response = yield* Effect.promise(() => fetch(`${first.redirects[0]}&prompt=none`, { redirect: "manual" }))
    const back = new URL(response.headers.get("location") ?? "")
    expect(back.origin + back.pathname).toBe("http://localhost:8080/status")

    const second = yield* runPage(back.hash, dataset, stored)
    const expected = world.events.find(({ subscriptions }) => subscriptions.includes(id))
    expect(second.texts[0]).toBe(`${expected?.event.properties?.title} `)
    expect(second.replaced).toEqual(["/status"])
    expect(stored.size).toBe(0)

    // The same response a second time.
    const third = yield* runPage(back.hash, dataset, stored)
    expect(third.texts).toEqual([expect.stringContaining("state")])
  }),
)
