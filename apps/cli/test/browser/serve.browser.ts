import { describe, expect, it } from "@effect/vitest"
import { Sandbox, World } from "@vigil/sandbox"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import type { BrowserContextOptions } from "playwright-core"
import { afterEach, vi } from "vitest"
import { startServer } from "../support/server.js"
import { newTab } from "@vigil/testing/Chromium"

afterEach(() => {
  vi.unstubAllEnvs()
})

interface Options {
  /** Of the tab. */
  readonly context?: BrowserContextOptions
  /** The user and the password in the URL of the page. */
  readonly credentials?: string
  readonly flags?: ReadonlyArray<string>
}

/** A sandbox whose world can change, a server that polls it each second, and a tab with its page. */
const scene = Effect.fnUntraced(function* ({ context, credentials = "", flags = [] }: Options = {}) {
  const tab = yield* newTab(context)
  const sandbox = yield* Sandbox.make()
  vi.stubEnv("HEALTH_ACCESS_TOKEN", Redacted.value(sandbox.accessToken))
  const [{ id }] = sandbox.world.subscriptions
  const server = yield* startServer("-s", id, "--base-url", sandbox.baseUrl, "--every", "1s", ...flags)
  yield* server.idle
  const messages: Array<string> = []
  tab.on("console", (message) => messages.push(message.text()))
  tab.on("pageerror", (error) => messages.push(error.message))
  yield* Effect.promise(() => tab.goto(server.url.replace("//", `//${credentials}`)))
  const events = sandbox.world.events.filter(({ subscriptions }) => subscriptions.includes(id))
  const act = <A>(run: (page: typeof tab) => Promise<A>) => Effect.promise(() => run(tab))
  return { act, events, messages, sandbox, server, subscription: id }
})

const hostile = "<img src=x onerror=alert(1)><script>alert(2)</script>"

const [narrow, wide] = [
  { width: 390, height: 844 },
  { width: 1280, height: 900 },
]

describe("the page in a browser", () => {
  it.live("adds and removes events without a reload, and keeps open sections and the focus", () =>
    Effect.gen(function* () {
      const { act, events, messages, sandbox } = yield* scene()
      const [gone, kept] = events.filter(
        ({ event: { properties } }) => properties?.eventType === "ServiceIssue" && properties.status === "Active",
      )
      if (gone === undefined || kept === undefined) return yield* Effect.die("The sandbox has no events.")
      const details = (name: unknown) => `.events > details:has(.id:text-is("${String(name)}"))`
      yield* act((page) => page.getByText("This page updates itself.").waitFor())
      yield* act((page) => page.evaluate("window.isFirst = true"))
      yield* act((page) => page.locator("#notices > summary").click())
      yield* act((page) => page.locator(`${details(kept.event.name)} > summary`).click())
      yield* act((page) => page.locator(".bar").first().waitFor({ state: "attached" }))

      const properties = { ...kept.event.properties, title: hostile }
      const event = { ...kept.event, id: `${String(kept.event.id)}-2`, name: "NEW1-234", properties }
      yield* sandbox.change((world) => World.remove(String(gone.event.id))(World.put({ ...kept, event })(world)))
      yield* act((page) => page.locator(details("NEW1-234")).waitFor())
      expect(yield* act((page) => page.locator(details(gone.event.name)).count())).toBe(0)
      expect(yield* act((page) => page.locator(`${details("NEW1-234")} .title`).innerText())).toBe(hostile)
      for (const open of [details(kept.event.name), "#notices"])
        expect(yield* act((page) => page.locator(open).getAttribute("open"))).toBe("")
      expect(yield* act((page) => page.locator(details("NEW1-234")).getAttribute("open"))).toBeNull()
      expect(yield* act((page) => page.locator(`${details(kept.event.name)} > summary:focus`).count())).toBe(1)
      expect(yield* act((page) => page.evaluate("window.isFirst"))).toBe(true)
      expect(yield* act((page) => page.locator("#live").innerText())).toBe("This page updates itself.")
      expect(messages).toEqual([])
    }),
  )

  it.live("keeps the highlight of a linked resource when it is updated", () =>
    Effect.gen(function* () {
      const { act, events, sandbox } = yield* scene({ flags: ["--resources"] })
      const [kept] = events
      if (kept === undefined) return yield* Effect.die("The sandbox has no events.")
      yield* act((page) => page.locator("header li a").first().click())
      const linked = () => act((page) => page.locator("tr:is(:target, .linked)").getAttribute("id"))
      const before = yield* linked()
      yield* sandbox.change(World.put({ ...kept, event: { ...kept.event, id: "NEW1-111", name: "NEW1-111" } }))
      yield* act((page) => page.locator(`.id:text-is("NEW1-111")`).waitFor({ state: "attached" }))
      expect(yield* linked()).toBe(before)
    }),
  )

  const token = "canary-5f1c.0123456789"

  it.live.each([
    ["a browser asks for", { context: { httpCredentials: { username: "me", password: token }, viewport: narrow } }],
    ["is in the URL", { credentials: `me:${token}@`, context: { viewport: wide } }],
  ] as const)("updates itself with a token that %s, and keeps the filters", ([, options]) =>
    Effect.gen(function* () {
      vi.stubEnv("VIGIL_SERVE_TOKEN", token)
      const { act, events, messages, sandbox } = yield* scene(options)
      const [kept] = events
      if (kept === undefined) return yield* Effect.die("The sandbox has no events.")
      const put = (name: string, eventType: string) => {
        const impact = [{ impactedService: "DNS", impactedRegions: [{ impactedRegion: "Mars" }] }]
        const event = { ...kept.event, id: name, name, properties: { ...kept.event.properties, eventType, impact } }
        return sandbox.change(World.put({ ...kept, event }))
      }
      const shown = () => act((page) => page.locator(".events > details:visible > summary .id").allTextContents())
      const added = (name: string) =>
        act((page) => page.locator(`.id:text-is("${name}")`).waitFor({ state: "attached" }))
      yield* put("NEW1-111", "ServiceIssue")
      yield* added("NEW1-111")
      yield* act((page) => page.getByLabel("Type").selectOption("Service issue"))
      yield* act((page) => page.getByLabel("Region").selectOption("Mars"))
      expect(yield* shown()).toEqual(["NEW1-111"])
      yield* put("NEW2-222", "ServiceIssue")
      yield* put("NEW3-333", "RCA")
      yield* added("NEW3-333")
      expect((yield* shown()).toSorted()).toEqual(["NEW1-111", "NEW2-222"])
      expect(yield* act(async (page) => new URL(page.url()).hash)).toBe("#type=Service+issue&region=mars")
      expect(yield* act((page) => page.locator("#live").innerText())).toBe("This page updates itself.")
      expect(messages).toEqual([])
    }),
  )

  it.live("shows that a poll failed until a poll succeeds", () =>
    Effect.gen(function* () {
      const { act, sandbox } = yield* scene()
      yield* act((page) => page.getByText("This page updates itself.").waitFor())
      yield* sandbox.refuse(() => 408)
      yield* act((page) => page.getByText("could not be read").waitFor())
      yield* sandbox.refuse(() => undefined)
      yield* act((page) => page.getByText("could not be read").waitFor({ state: "detached" }))
    }),
  )
})
