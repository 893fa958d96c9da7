import { describe, expect, it } from "vitest"
import * as TerminalText from "@vigil/health-text/TerminalText"

describe("a text of a service", () => {
  // A test whose code is too slow fails by its timeout.
  it("loses its escape sequences in linear time", () => {
    expect(TerminalText.line(`a\u001b${";?".repeat(1_000_000)}`)).toHaveLength(2_000_000)
    expect(TerminalText.line("\u009b".repeat(1_000_000))).toBe("")
  })

  it("keeps its spaces, and is one line without control characters", () => {
    expect(TerminalText.safe('  Wrote "a  b\n\u001b[2J.html"')).toBe('  Wrote "a  b .html"')
  })
})
