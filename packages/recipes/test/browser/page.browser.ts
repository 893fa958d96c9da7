import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import * as Faults from "@vigil/sandbox/Faults"
import * as Reply from "@vigil/sandbox/Reply"
import * as Sandbox from "@vigil/sandbox/Sandbox"
import type { World } from "@vigil/sandbox/World"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { build } from "esbuild"
import type { Page } from "playwright-core"
import { browser } from "./chromium.js"

const day = 24 * 60 * 60 * 1000

/** The script as one file, as an application would ship it. */
const bundle = (script: string) =>
  Effect.promise(async () => {
    const { outputFiles } = await build({
      entryPoints: [join(import.meta.dirname, script)],
      bundle: true,
      conditions: ["@vigil/source"],
      format: "esm",
      platform: "browser",
      target: "es2022",
      write: false,
    })
    return outputFiles.map(({ text }) => text).join("\n")
  })

/** Serves a page with that script, at an origin of its own: its address. */
const serve = (script: string, data: Readonly<Record<string, string>>) =>
  Effect.gen(function* () {
    const code = yield* bundle(script)
    const attributes = Object.entries(data).map(([name, value]) => `data-${name}="${value}"`)
    const html = `<!doctype html><link rel="icon" href="data:,"><title>Events</title><body ${attributes.join(" ")}><script type="module" src="/script.js"></script>`
    const { origin } = yield* Faults.serve(({ target }) =>
      target === "/script.js"
        ? Reply.text(code, { headers: { "content-type": "text/javascript; charset=utf-8" } })
        : Reply.text(html, { headers: { "content-type": "text/html; charset=utf-8" } }),
    )
    return `${origin}/`
  })

const open = (address: string) =>
  Effect.flatMap(browser, (chromium) =>
    Effect.promise(async () => {
      const tab = await chromium.newPage()
      await tab.goto(address)
      return tab
    }),
  )

const ask = <A>(tab: Page, use: (tab: Page) => Promise<A>) => Effect.promise(() => use(tab))

/** The titles of what the world's first subscription has had in the last days, in order. */
const titlesOf = ({ events, now, subscriptions: [{ id }] }: World, days: number) =>
  events
    .filter((one) => one.subscriptions.includes(id) && one.lastUpdate >= now - days * day)
    .map(({ event }) => event.properties?.title ?? "")

/** What a page of another origin shows of the sandbox, once it is done. */
const shown = ({ accessToken, baseUrl, world }: Sandbox.Service) =>
  Effect.gen(function* () {
    const data = { "base-url": baseUrl, subscription: world.subscriptions[0].id, token: Redacted.value(accessToken) }
    const address = yield* serve("page.ts", data)
    expect(new URL(address).origin).not.toBe(baseUrl)
    const tab = yield* open(address)
    yield* ask(tab, (page) => page.waitForSelector("[data-state=done]"))
    return yield* ask(tab, (page) => page.locator("p").allTextContents())
  })

describe("a page of another origin than the service", () => {
  it.scopedLive("lists every event of a subscription, page after page, where the service lets it", () =>
    Effect.gen(function* () {
      const sandbox = yield* Sandbox.make({ cors: true })
      const titles = titlesOf(sandbox.world, 90)
      expect(titles.length).toBeGreaterThan(50)
      expect(yield* shown(sandbox)).toEqual(titles)
    }),
  )

  it.scopedLive("asks leave for the token alone", () =>
    Effect.gen(function* () {
      const sandbox = yield* Sandbox.make({ cors: true })
      yield* shown(sandbox)
      const preflights = (yield* sandbox.requests).filter(({ method }) => method === "OPTIONS")
      expect(new Set(preflights.map(({ headers }) => headers["access-control-request-headers"]))).toEqual(
        new Set(["authorization"]),
      )
    }),
  )

  it.scopedLive("is told how the service fails, and when to come back", () =>
    Effect.gen(function* () {
      const sandbox = yield* Sandbox.make({ cors: true })
      yield* sandbox.refuse(() => ({ status: 429, retryAfter: 7 }))
      expect(yield* shown(sandbox)).toEqual([expect.stringMatching(/^RateLimited: .* Try again in 7s\.$/)])
    }),
  )

  it.scopedLive("gets no answer where the service does not let it", () =>
    Effect.gen(function* () {
      expect(yield* shown(yield* Sandbox.make())).toEqual([expect.stringMatching(/^TransportError: /)])
    }),
  )
})

describe("the page of the guide", () => {
  it.scopedLive("signs a person in, and shows the events when they come back", () =>
    Effect.gen(function* () {
      const { baseUrl, world } = yield* Sandbox.make({ cors: true })
      const data = {
        "auth-url": baseUrl,
        "base-url": baseUrl,
        "client-id": "status-page",
        subscription: world.subscriptions[0].id,
      }
      const address = yield* serve("../../examples/browser.ts", data)
      const titles = titlesOf(world, 3).map((title) => `${title} `)
      const tab = yield* open(address)
      yield* ask(tab, (page) => page.click("#allow"))
      yield* ask(tab, (page) => page.waitForURL(address))
      // It says nothing when it is done: what is waited for is the last of what it should show.
      const texts = `Array.from(document.body.childNodes).filter((one) => one.nodeType === 3).map((one) => one.data)`
      yield* ask(tab, (page) => page.waitForFunction(`${texts}.length >= ${titles.length}`))
      expect(yield* ask(tab, (page) => page.evaluate(texts))).toEqual(titles)
      expect(yield* ask(tab, (page) => page.evaluate("location.hash + sessionStorage.length"))).toBe("0")
    }),
  )
})
