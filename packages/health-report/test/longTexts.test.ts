import { expect, it } from "vitest"
import * as LivePage from "../src/LivePage.js"
import * as Html from "../src/internal/html.js"

it("cuts a text in a report, where a browser would take minutes for it", () => {
  expect(Html.html`${"a ".repeat(5_000_000)}`.markup).toBe(`${"a ".repeat(49_999)}a…`)
  expect(Html.html`${`e${"\u0301".repeat(300)}f`}`.markup).toBe(`e${"\u0301".repeat(8)}f`)
})

const page = (length: number) => {
  const name = "r".repeat(length)
  const event = (index: number) => ({
    name: `E${index}`,
    properties: {
      status: "Active",
      summary: name,
      impact: [{ impactedService: name, impactedRegions: [{ impactedRegion: `${index}${name}` }] }],
    },
  })
  const snapshot = { source: "x", invalid: 0, failed: [], from: 0, now: 1 }
  return [
    ...LivePage.chunks(
      { ...snapshot, events: Array.from({ length: 50 }, (_, index) => event(index)) },
      { version: "1" },
    ),
  ]
}

it("cuts the names of services and regions, which stand in several places", () => {
  // Only the texts of the events are complete.
  expect(page(50_000).join("").length).toBeLessThan(50 * 50_000 + 1_000_000)
})

it("renders a page in parts of a limited length, whatever the length of its texts", () => {
  expect(Math.max(...page(50_000).map(({ length }) => length))).toBeLessThan(400_000)
})
