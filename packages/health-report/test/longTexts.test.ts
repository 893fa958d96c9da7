import { expect, it } from "vitest"
import * as Html from "../src/internal/html.js"

it("cuts a text in a report, where a browser would take minutes for it", () => {
  expect(Html.html`${"a ".repeat(5_000_000)}`.markup).toBe(`${"a ".repeat(49_999)}a…`)
  expect(Html.html`${`e${"\u0301".repeat(300)}f`}`.markup).toBe(`e${"\u0301".repeat(8)}f`)
})
