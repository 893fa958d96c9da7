import { createHash } from "node:crypto"
import { describe, expect, it } from "@effect/vitest"
import * as CodePoint from "@vigil/testing/CodePoint"
import * as property from "@vigil/testing/property"
import * as FastCheck from "fast-check"
import * as HtmlReport from "@vigil/health-report/HtmlReport"
import * as LivePage from "@vigil/health-report/LivePage"
import type { Snapshot } from "@vigil/health-report/Snapshot"
import { html } from "../src/internal/html.js"
import * as Prose from "../src/internal/prose.js"
import { month, onePerType, replaceTexts } from "@vigil/testing/snapshots"

const event = (properties: object, name = "AB12-CD3"): Snapshot["events"][number] => ({ id: name, name, properties })

const report = (...events: Snapshot["events"]) => HtmlReport.make({ ...onePerType, events })

describe("a report", () => {
  it("shows an event without properties", () => {
    const page = report({}, { properties: null }, event({ status: "odd", eventType: "New", eventLevel: "Dire" }))
    for (const words of [
      "An event without a title",
      "No status",
      "No level",
      "Dire",
      `data-type="New"`,
      "updated unknown",
    ])
      expect(page).toContain(words)
  })

  it("shows an update of several regions once, with its earliest time", () => {
    const update = (at: string) => ({ summary: "We look into it.", updateDateTime: at })
    const impact = [
      {
        impactedService: "DNS",
        impactedRegions: [
          { impactedRegion: "East US", updates: [update("2026-03-10T09:02:00Z")] },
          { impactedRegion: "UK South", updates: [update("2026-03-10T09:00:00Z"), { summary: " " }] },
        ],
      },
    ]
    const page = report(event({ impact }))
    expect(page.match(/We look into it\./g)).toHaveLength(1)
    expect(page).toMatch(/10 Mar 2026, 09:00<\/time>\s* · East US, UK South/)
  })

  it("loads nothing, and allows only its own script and style", () => {
    const page = HtmlReport.make(month)
    expect(page).toMatch(/^<!doctype html>\n<!-- A report of vigil events report -->\n/)
    expect(page).toMatch(
      /content="default-src 'none'; style-src 'sha256-[\w+/]+='; script-src 'sha256-[\w+/]+='; img-src data:; base-uri 'none'; form-action 'none'"/,
    )
    expect(page.match(/<(script|style)\b[^>]*>/g)).toEqual(["<style>", "<script>"])
    // If one differs, its new value belongs into the source.
    for (const html of [page, LivePage.make(month, { version: "1" })])
      expect([...html.matchAll(/-src 'sha256-([^']+)'/g)].map(([, hash]) => hash)).toEqual(
        [...html.matchAll(/<(?:script|style)>([^]*?)<\/(?:script|style)>/g)].map(([, own = ""]) =>
          createHash("sha256").update(own).digest("base64"),
        ),
      )
    expect(page).not.toMatch(/\s(style|src|on\w+)=/)
  })

  it("escapes every text of the service", () => {
    const mark = `"'><script>alert(1)</script>`
    const page = HtmlReport.make(replaceTexts(onePerType, (path) => `${path}${mark}\u202e\u0000`))
    expect(page.match(/<script\b/g)).toHaveLength(1)
    expect(page).toContain("event.properties.title&#34;&#39;&#62;&#60;script&#62;alert(1)&#60;/script&#62;")
    for (const hidden of ["\u202e", "\u0000"]) expect(page).not.toContain(hidden)
  })
})

describe("a text in HTML", () => {
  property.sync("never ends its element or attribute", [FastCheck.string({ unit: CodePoint.arbitrary })], ([text]) => {
    const shown = html`${text}`.markup
    expect(shown).not.toMatch(/[<>"']|&(?!#(34|38|39|60|62);)/)
  })
})

describe("a URL in a text", () => {
  const link = (address: string) => `<a href="${address}" target="_blank" rel="noreferrer noopener">${address}</a>`

  it.each([
    ["see https://a.example/b?c=1, please", `see ${link("https://a.example/b?c=1")}, please`],
    ["(http://a.example/)", `(${link("http://a.example/")})`],
    ["https://a.example/ https://b.example/", `${link("https://a.example/")} ${link("https://b.example/")}`],
  ])("%j is a link", (text, shown) => {
    expect(Prose.inline(text).markup).toBe(shown)
  })

  it("converts a long text once for all pages", () => {
    const text = () => "<p>Long</p> ".repeat(5_000)
    expect(Prose.block(text())).toBe(Prose.block(text()))
  })

  it.each([
    "javascript:alert(1)",
    "data:text/html,x",
    "https://me@a.example/",
    "https://:secret@a.example/",
    "https://",
    "//a.example",
  ])("%j is not a link", (text) => {
    for (const html of [Prose.block(`<a href="${text}">here</a> ${text}`), Prose.inline(text)])
      expect(html.markup).not.toContain("<a ")
  })
})
