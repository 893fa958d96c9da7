import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { describe, expect, it } from "@effect/vitest"
import * as HtmlReport from "@vigil/health-report/HtmlReport"
import type { Snapshot } from "@vigil/health-report/Snapshot"
import { isNotice, isResolved } from "@vigil/health-schema/HealthEvent"
import type { Timestamp } from "@vigil/health-schema/Timestamp"
import * as Labels from "@vigil/health-text/Labels"
import { month, onePerType, replaceTexts } from "@vigil/testing/snapshots"
import axe from "axe-core"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { BrowserContextOptions, Page as Tab } from "playwright-core"
import { folder } from "../support/folder.js"
import { newTab } from "@vigil/testing/Chromium"

/** A report in a tab, with its console messages, errors and dialogs, and the URLs that it requested. */
interface Opened {
  readonly tab: Tab
  readonly messages: ReadonlyArray<string>
  readonly requests: ReadonlyArray<string>
  readonly url: string
}

const open = (snapshot: Snapshot, options: BrowserContextOptions = {}): Effect.Effect<Opened, never, Scope.Scope> =>
  Effect.gen(function* () {
    const file = join(yield* folder, "report.html")
    writeFileSync(file, HtmlReport.make(snapshot))
    const url = pathToFileURL(file).href
    const tab = yield* newTab(options)
    return yield* Effect.promise(async () => {
      const messages: Array<string> = []
      const requests: Array<string> = []
      tab.on("console", (message) => messages.push(message.text()))
      tab.on("pageerror", (error) => messages.push(error.message))
      tab.on("dialog", (dialog) => {
        messages.push(`dialog: ${dialog.message()}`)
        void dialog.dismiss()
      })
      tab.on("request", (request) => requests.push(request.url()))
      await tab.goto(url)
      return { tab, messages, requests, url }
    })
  })

/** Evaluates an expression in the page. It is text because the browser's globals have no types here. */
const ask = <A>({ tab }: Opened, expression: string) => Effect.promise(() => tab.evaluate<A>(expression))

const act = <A>({ tab }: Opened, run: (tab: Tab) => Promise<A>) => Effect.promise(() => run(tab))

const openAll = `for (const one of document.querySelectorAll("details")) one.open = true`

const widths = `[document.documentElement.scrollWidth, innerWidth]`

const subscription = (name: string, id: string) => ({ id, name, events: month.events })

const failed = {
  source: `Subscription Production (${"0".repeat(8)}-0000-0000-0000-000000000000)`,
  problem: `Could not list events: 503 ServiceUnavailable. ${"Try again. ".repeat(20)}`,
  readAt: month.now - 3_600_000,
}

/** With resources of two subscriptions, one of which failed, and planned events after `now`. */
const complete: Snapshot = {
  ...month,
  from: month.now - 90 * 86_400_000,
  failed: [failed],
  subscriptions: [subscription("Production", "p"), subscription("Staging", "s")],
  resources: {
    source: month.source,
    statuses: ["orders-database-1", "web"].map((name, index) => ({
      id: `/subscriptions/${index === 0 ? "p" : "s"}/resourceGroups/production/providers/V.Compute/virtualMachines/${name}`,
      location: "westeurope",
      properties: {
        availabilityState: "Unavailable",
        occuredTime: "2026-03-10T09:30:00Z" as Timestamp,
        healthEventId: month.events.find((event) => !isResolved(event) && !isNotice(event))?.name ?? "",
      },
    })),
    invalid: 0,
    failed: [failed],
  },
}

const sizes = [
  [390, "dark"],
  [390, "light"],
  [1280, "dark"],
  [1280, "light"],
] as const

describe("a report in a browser", () => {
  it.live.each(sizes)("fits %i px in %s mode, logs nothing, and requests nothing else", ([width, colorScheme]) =>
    Effect.gen(function* () {
      const report = yield* open(complete, { viewport: { width, height: 812 }, colorScheme })
      expect(yield* ask(report, widths)).toEqual([width, width])
      yield* ask(report, openAll)
      expect(yield* ask(report, widths)).toEqual([width, width])
      const background = yield* ask<string>(report, `getComputedStyle(document.body).backgroundColor`)
      expect(background).toBe(colorScheme === "dark" ? "rgb(19, 21, 23)" : "rgb(247, 247, 245)")
      expect([report.messages, report.requests]).toEqual([[], [report.url]])
    }),
  )

  it.live("has a tooltip for each bar, and shows the events of a bar on a click", () =>
    Effect.gen(function* () {
      const report = yield* open(month, { viewport: { width: 1280, height: 900 } })
      const row = report.tab.locator(".chart details").first()
      const title = row.locator(".bar title").last()
      expect(yield* act(report, () => title.textContent())).toMatch(/(Critical|Error|Warning) · \d+ \w+ 2026, /)
      yield* act(report, () => row.locator("summary").click())
      yield* act(report, () => row.locator("a").first().click())
      const anchor = (yield* ask<string>(report, "location.hash")).slice(1)
      expect(yield* act(report, () => report.tab.locator(`#${anchor}`).isVisible())).toBe(true)
      expect(report.messages).toEqual([])
    }),
  )

  it.live("is accessible: headings in order, tables with headers, bars with labels", () =>
    Effect.gen(function* () {
      const report = yield* open(month)
      yield* ask(report, openAll)
      const levels = yield* ask<ReadonlyArray<number>>(
        report,
        `Array.from(document.querySelectorAll("h1,h2,h3,h4"), (one) => Number(one.tagName[1]))`,
      )
      expect(levels[0]).toBe(1)
      for (const [index, level] of levels.entries()) expect(level - (levels[index - 1] ?? 0)).toBeLessThanOrEqual(1)
      const cells = `Array.from(document.querySelectorAll("tbody tr"), (row) => row.querySelector("th[scope=row]") !== null)`
      expect(yield* ask<ReadonlyArray<boolean>>(report, cells)).not.toContain(false)
      const bars = yield* act(report, (tab) => tab.getByRole("img").all())
      for (const bar of bars)
        expect(yield* act(report, () => bar.getAttribute("aria-label"))).toMatch(/^[\w ]+: .+; events: \d+ \w+/)
      expect(bars.length).toBe(10)
    }),
  )

  it.live.each(sizes)("has no accessibility violation at %i px in %s mode", ([width, colorScheme]) =>
    Effect.gen(function* () {
      const snapshot = { ...complete, events: onePerType.events }
      const report = yield* open(snapshot, { colorScheme, viewport: { width, height: 844 } })
      yield* ask(report, openAll)
      // As an expression, because the policy of the page allows no other script.
      yield* ask(report, `${axe.source}; undefined`)
      const { violations } = yield* ask<axe.AxeResults>(report, "axe.run()")
      expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([])
    }),
  )

  it.live("shows the events that match a search, and reveals a linked one that does not", () =>
    Effect.gen(function* () {
      const report = yield* open(month, { viewport: { width: 1280, height: 900 } })
      const shown = () => report.tab.locator(".events > details:visible")
      const [first, second] = month.events
      yield* act(report, (tab) => tab.getByRole("searchbox").fill(String(first?.name).toLowerCase()))
      expect(yield* act(report, () => shown().count())).toBe(1)
      expect(yield* act(report, () => shown().locator(".id").textContent())).toBe(first?.name)
      expect(yield* act(report, (tab) => tab.locator("#search [role=status]").textContent())).toMatch(
        /^1 of \d+ events$/,
      )
      yield* ask(report, `location.hash = "event-${second?.name}"`)
      yield* act(report, (tab) => tab.locator(`#event-${second?.name}`).waitFor())
      expect(report.messages).toEqual([])
    }),
  )

  it.live.each([390, 1280])("filters by level, type and region at %i px, and keeps the filters in its URL", (width) =>
    Effect.gen(function* () {
      const report = yield* open(month, { viewport: { width, height: 844 } })
      const expected = month.events
        .filter(({ properties }) => properties?.eventType === "ServiceIssue" && properties.eventLevel === "Critical")
        .filter((event) => Labels.regions(event).includes("West Europe"))
      const names = () => act(report, (tab) => tab.locator(".events > details:visible > summary .id").allTextContents())
      yield* act(report, (tab) => tab.getByLabel("Level").selectOption("Critical"))
      yield* act(report, (tab) => tab.getByLabel("Type").selectOption("Service issue"))
      yield* act(report, (tab) => tab.getByLabel("Region").selectOption("West Europe"))
      expect(expected.length).toBeGreaterThan(0)
      expect((yield* names()).toSorted()).toEqual(expected.map(({ name }) => name).toSorted())
      yield* act(report, (tab) => tab.reload())
      expect(new URL(report.tab.url()).hash).toBe("#level=Critical&type=Service+issue&region=westeurope")
      expect(yield* names()).toHaveLength(expected.length)
      yield* act(report, (tab) => tab.getByLabel("Region").selectOption("All"))
      expect((yield* names()).length).toBeGreaterThan(expected.length)
      expect(report.messages).toEqual([])
    }),
  )

  it.live("is short at 390 px, and has links to its sections and closed groups", () =>
    Effect.gen(function* () {
      const report = yield* open(month, { viewport: { width: 390, height: 844 } })
      expect(yield* ask(report, `document.documentElement.scrollHeight`)).toBeLessThan(10_000)
      for (const name of ["Impact", "State", "Availability", "Events"]) {
        yield* act(report, (tab) => tab.getByRole("navigation").getByText(name).click())
        expect(yield* ask(report, `document.querySelector("h2:target").getBoundingClientRect().top >= 0`)).toBe(true)
      }
      expect(yield* act(report, (tab) => tab.locator("#notices .events").isVisible())).toBe(false)
      yield* act(report, (tab) => tab.locator("header [href='#notices']").click())
      expect(yield* act(report, (tab) => tab.locator("#notices .events").isVisible())).toBe(true)
    }),
  )

  it.live("shows what does not work in the first screen of a phone, also if it is old", () =>
    Effect.gen(function* () {
      const report = yield* open(complete, { viewport: { width: 390, height: 844 } })
      for (const words of [
        "2 of 2 resources are not available",
        "Some of this is of",
        "orders-database-1",
        "since",
        "Next:",
      ])
        expect(yield* act(report, (tab) => tab.locator("header").getByText(words).first().boundingBox())).toMatchObject(
          {
            y: expect.toSatisfy((y: number) => y < 800, "less than 800"),
          },
        )
      yield* act(report, (tab) => tab.locator("header li a").first().click())
      expect(yield* ask(report, `document.querySelector("tr:target th").textContent`)).toContain("orders-database-1")
    }),
  )

  it.live.each([390, 1280])("highlights all of a linked row, below the links to sections, at %i px", (width) =>
    Effect.gen(function* () {
      const report = yield* open(complete, { viewport: { width, height: 400 } })
      yield* act(report, (tab) => tab.locator("header li a:has(b)").last().click())
      // Cells without a color have that of the row.
      const colors = `[...document.querySelectorAll("tr:target, tr:target > *")].map((one) => getComputedStyle(one).backgroundColor)`
      const drawn = (yield* ask<ReadonlyArray<string>>(report, colors)).filter((color) => color !== "rgba(0, 0, 0, 0)")
      expect(new Set(drawn).size).toBe(1)
      const distance = `document.querySelector("tr:target").getBoundingClientRect().top - document.querySelector("nav").getBoundingClientRect().bottom`
      expect(yield* ask(report, distance)).toBeGreaterThanOrEqual(0)
    }),
  )

  it.live.each([390, 768])("breaks no word at %i px", (width) =>
    Effect.gen(function* () {
      const report = yield* open(complete, { viewport: { width, height: 844 } })
      const broken = `(() => {
        const all = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
        const found = []
        for (let node; (node = all.nextNode()); ) {
          if (!node.parentElement.checkVisibility() || node.parentElement.closest(".hidden, svg")) continue
          for (const { 0: word, index } of node.data.matchAll(/[\\p{L}\\d]+/gu)) {
            const range = document.createRange()
            range.setStart(node, index)
            range.setEnd(node, index + word.length)
            const lines = [...range.getClientRects()].filter((line) => line.width > 0).map(({ top }) => Math.round(top))
            if (new Set(lines).size > 1) found.push(word)
          }
        }
        return found
      })()`
      expect(yield* ask(report, broken)).toEqual([])
    }),
  )

  it.live("names the region of each row of the availability at 390 px", () =>
    Effect.gen(function* () {
      const report = yield* open(month, { viewport: { width: 390, height: 844 } })
      const rows = `(() => {
        const scroll = document.querySelector("[aria-labelledby=availability].scroll")
        scroll.scrollLeft = 500
        const { left } = scroll.getBoundingClientRect()
        const isShown = (row) => row.querySelector(".quiet").getBoundingClientRect().left > left
        return [...scroll.querySelectorAll("tbody th")].map((row) => isShown(row) && row.textContent)
      })()`
      const names = yield* ask<ReadonlyArray<string>>(report, rows)
      expect(new Set(names).size).toBe(names.length)
    }),
  )

  it.live.each([390, 768, 960, 1280])("draws the marks of the time axis apart at %i px", (width) =>
    Effect.gen(function* () {
      const report = yield* open(complete, { viewport: { width, height: 844 } })
      const gaps = `(() => {
        const all = [...document.querySelectorAll(".axis text")].map((one) => one.getBoundingClientRect())
        const shown = all.filter(({ width }) => width > 0)
        return shown.slice(1).map(({ left }, index) => left - shown[index].right)
      })()`
      const all = yield* ask<ReadonlyArray<number>>(report, gaps)
      expect(all.length).toBeGreaterThan(1)
      expect(Math.min(...all)).toBeGreaterThan(0)
    }),
  )

  it.live.each([690, 1020])("keeps each text of a table in its cell in print, on paper of %i px", (width) =>
    Effect.gen(function* () {
      const report = yield* open(complete, { viewport: { width, height: 844 } })
      yield* act(report, (tab) => tab.emulateMedia({ media: "print" }))
      const wide = `[...document.querySelectorAll(".states :is(th, td)")]
        .filter(({ clientWidth, scrollWidth }) => scrollWidth > clientWidth).map(({ textContent }) => textContent)`
      expect(yield* ask(report, wide)).toEqual([])
    }),
  )

  it.live("keeps headings with what follows in print", () =>
    Effect.gen(function* () {
      const report = yield* open(onePerType)
      yield* act(report, (tab) => tab.emulateMedia({ media: "print" }))
      const broken = `Array.from(document.querySelectorAll("h2, section > h2 + .quiet, .legend, .axis"), (one) => getComputedStyle(one).breakAfter)`
      expect(new Set(yield* ask<ReadonlyArray<string>>(report, broken))).toEqual(new Set(["avoid"]))
    }),
  )

  it.live("has no filters without scripts, and all events", () =>
    Effect.gen(function* () {
      const { tab } = yield* open(month, { javaScriptEnabled: false })
      expect(yield* Effect.promise(() => tab.locator("#search").isVisible())).toBe(false)
      for (const group of ["#notices", "#resolved"])
        yield* Effect.promise(() => tab.locator(`${group} > summary`).click())
      expect(yield* Effect.promise(() => tab.locator(".events > details:visible").count())).toBe(month.events.length)
    }),
  )

  it.live(
    "keeps the first column of the current state over scrolled cells, and the worst cells in a narrow window",
    () =>
      Effect.gen(function* () {
        const report = yield* open(month, { viewport: { width: 390, height: 844 } })
        expect(yield* ask(report, `document.querySelector(".states td .pill").textContent`)).toBe("Critical")
        const covered = `(() => {
        const scroll = document.querySelector(".scroll")
        scroll.scrollLeft = 120
        return [...scroll.querySelectorAll("tbody th")].filter((head) => {
          head.scrollIntoView({ block: "center" })
          const { left, top, width, height } = head.getBoundingClientRect()
          return document.elementFromPoint(left + width - 4, top + height / 2) !== head
        }).length
      })()`
        expect(yield* ask(report, covered)).toBe(0)
      }),
  )
})

const replace = (text: string, isReplaced: (path: string) => boolean) =>
  replaceTexts(onePerType, (path) => (isReplaced(path) ? text : "Text"))

describe("a text in a report", () => {
  it.live.each([
    ["combining marks", `e${"\u0301".repeat(300)}`, ""],
    ["enclosing marks", `e${"\u20dd".repeat(300)}`, ""],
    ["joined emoji", "👨\u200d".repeat(300), ""],
    ["no spaces", "x".repeat(2_000), ""],
    ["a title of 5 MB", "x".repeat(5_000_000), ".title"],
  ] as const)("does not make the page wider than its window: %s", ([, text, field]) =>
    Effect.gen(function* () {
      const snapshot = replace(text, (path) => path.endsWith(field))
      const report = yield* open(snapshot, { viewport: { width: 390, height: 844 } })
      yield* ask(report, openAll)
      expect(yield* ask(report, widths)).toEqual([390, 390])
    }),
  )
})

describe("hostile text in a report", () => {
  const run = "window.hostile = 1; alert(1)"
  const payloads = {
    script: `<script>${run}</script>`,
    "image that fails to load": `<img src=x onerror="${run}">`,
    "end of an attribute": `" onmouseover="${run}" autofocus onfocus="${run}" x="`,
    "end of an attribute in single quotes": `' onmouseover='${run}' x='`,
    "end of the style, the script and the title": `</style></script></title><svg onload="${run}">`,
    "URL of a script": `<a href="javascript:${run}">x</a> javascript:${run}`,
    frame: `<iframe srcdoc="<script>${run}</script>"></iframe><meta http-equiv="refresh" content="0;url=https://evil.example">`,
    "remote resources": `<img src="https://evil.example/x.png"><link rel="stylesheet" href="https://evil.example/x.css">`,
  }

  it.live.each(Object.entries(payloads))("stays text: %s", ([, payload]) =>
    Effect.gen(function* () {
      const hostile = replaceTexts(onePerType, (path) => `${path} ${payload}`)
      const active = replaceTexts(onePerType, (path) => (path.endsWith(".status") ? "Active" : `${path} ${payload}`))
      const report = yield* open(
        { ...hostile, events: [...hostile.events, ...active.events] },
        { viewport: { width: 375, height: 812 } },
      )
      yield* ask(report, openAll)
      yield* act(report, (tab) => tab.locator(".bar").first().hover({ force: true }))
      const elements = `["iframe", "img", "object", "form", "base", "[onload]", "[onerror]", "[onfocus]", "[onmouseover]", "body script ~ script", "[href^=javascript]"].filter((one) => document.querySelector(one))`
      expect(yield* ask(report, elements)).toEqual([])
      expect(yield* ask(report, `document.scripts.length`)).toBe(1)
      expect(yield* ask(report, `window.hostile`)).toBeUndefined()
      expect(yield* ask(report, widths)).toEqual([375, 375])
      const links = yield* ask<ReadonlyArray<string>>(
        report,
        `Array.from(document.links).filter(({ protocol, rel }) => protocol !== "file:" && !(protocol.startsWith("http") && rel === "noreferrer noopener")).map(String)`,
      )
      expect(links).toEqual([])
      const text = yield* ask<string>(report, `document.querySelector(".events .title").textContent`)
      expect(text).toBe(`event.properties.title ${payload}`)
      expect([report.messages, report.requests]).toEqual([[], [report.url]])
    }),
  )
})
