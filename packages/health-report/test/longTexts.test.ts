/** Long texts that slow down code whose time is not linear. A test whose code is too slow fails by its timeout. */
import { describe, expect, it } from "vitest"
import * as PlainHtml from "@vigil/health-report/PlainHtml"
import * as TerminalText from "@vigil/health-report/TerminalText"
import * as Html from "../src/internal/html.js"

describe("a text of a service", () => {
  it("loses its escape sequences in linear time", () => {
    expect(TerminalText.line(`a\u001b${";?".repeat(1_000_000)}`)).toHaveLength(2_000_000)
    expect(TerminalText.line("\u009b".repeat(1_000_000))).toBe("")
  })

  it("keeps its spaces, and is one line without control characters", () => {
    expect(TerminalText.safe('  Wrote "a  b\n\u001b[2J.html"')).toBe('  Wrote "a  b .html"')
  })

  it("is cut in a report, where a browser would take minutes for it", () => {
    expect(Html.html`${"a ".repeat(5_000_000)}`.markup).toBe(`${"a ".repeat(50_000)}…`)
    expect(Html.html`${`e${"\u0301".repeat(300)}f`}`.markup).toBe(`e${"\u0301".repeat(8)}f`)
  })

  it("is read as HTML in linear time", () => {
    expect(PlainHtml.text(`<a href='${"@".repeat(90_000)}/'>x</a>`)).toBe("x")
  })
})
