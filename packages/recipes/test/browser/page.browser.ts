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
import { newTab } from "@vigil/testing/Chromium"

const day = 24 * 60 * 60 * 1000

/** Bundles the script for a browser. */
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

/** Serves a page with the script at its own origin. Returns its URL. */
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

const open = (url: string) => Effect.tap(newTab(), (tab) => Effect.promise(() => tab.goto(url)))

const run = <A>(tab: Page, use: (tab: Page) => Promise<A>) => Effect.promise(() => use(tab))

/** The titles of the first subscription's events in the last days, in order. */
const titlesOf = ({ events, now, subscriptions: [{ id }] }: World, days: number) =>
  events
    .filter(({ lastUpdate, subscriptions }) => subscriptions.includes(id) && lastUpdate >= now - days * day)
    .map(({ event }) => event.properties?.title ?? "")

/** Opens a page of another origin that lists events, and returns its lines. */
const readLines = ({ accessToken, baseUrl, world }: Sandbox.Service) =>
  Effect.gen(function* () {
    const data = { "base-url": baseUrl, subscription: world.subscriptions[0].id, token: Redacted.value(accessToken) }
    const url = yield* serve("page.ts", data)
    expect(new URL(url).origin).not.toBe(baseUrl)
    const tab = yield* open(url)
    yield* run(tab, (page) => page.waitForSelector("[data-state=done]"))
    return yield* run(tab, (page) => page.locator("p").allTextContents())
  })

describe("a page of another origin than the service", () => {
  it.live("lists every page of a subscription if the service allows the origin", () =>
    Effect.gen(function* () {
      const sandbox = yield* Sandbox.make({ cors: true })
      const titles = titlesOf(sandbox.world, 90)
      expect(titles.length).toBeGreaterThan(50)
      expect(yield* readLines(sandbox)).toEqual(titles)
    }),
  )

  it.live("sends preflight requests for the authorization header only", () =>
    Effect.gen(function* () {
      const sandbox = yield* Sandbox.make({ cors: true })
      yield* readLines(sandbox)
      const preflights = (yield* sandbox.requests).filter(({ method }) => method === "OPTIONS")
      expect(new Set(preflights.map(({ headers }) => headers["access-control-request-headers"]))).toEqual(
        new Set(["authorization"]),
      )
    }),
  )

  it.live("reads error responses and Retry-After", () =>
    Effect.gen(function* () {
      const sandbox = yield* Sandbox.make({ cors: true })
      yield* sandbox.refuse(() => ({ status: 429, retryAfter: 7 }))
      expect(yield* readLines(sandbox)).toEqual([expect.stringMatching(/ responded 429 .* Try again in 7s\.$/)])
    }),
  )

  it.live("fails if the service does not allow the origin", () =>
    Effect.gen(function* () {
      expect(yield* readLines(yield* Sandbox.make())).toEqual([expect.stringMatching(/ sent no complete response: /)])
    }),
  )
})

describe("the page of the guide", () => {
  it.live("signs in, then shows the events", () =>
    Effect.gen(function* () {
      const { baseUrl, world } = yield* Sandbox.make({ cors: true })
      const data = {
        "auth-url": baseUrl,
        "base-url": baseUrl,
        "client-id": "status-page",
        subscription: world.subscriptions[0].id,
      }
      const url = yield* serve("../../examples/browser.ts", data)
      const titles = titlesOf(world, 3).map((title) => `${title} `)
      const tab = yield* open(url)
      yield* run(tab, (page) => page.click("#allow"))
      yield* run(tab, (page) => page.waitForURL(url))
      // The page has no end marker: wait for the expected number of texts.
      const texts = `Array.from(document.body.childNodes).filter((node) => node.nodeType === 3).map((node) => node.data)`
      yield* run(tab, (page) => page.waitForFunction(`${texts}.length >= ${titles.length}`))
      expect(yield* run(tab, (page) => page.evaluate(texts))).toEqual(titles)
      expect(yield* run(tab, (page) => page.evaluate("location.hash + sessionStorage.length"))).toBe("0")
    }),
  )
})
