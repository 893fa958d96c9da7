import { PlainText } from "@vigil/core-http"
import { expect, it } from "vitest"

it.each([
  ["plain text", "The list is empty.", "The list is empty."],
  ["line breaks", "one\r\n\ttwo\u2028three", "one two three"],
  ["control characters", "a\u001b[2Jb\u0007c\bd", "a [2Jb c d"],
  ["bidirectional control characters", "a\u202eb\u2066c", "a b c"],
  ["zero-width characters", "a\u200bb\ufeffc", "a b c"],
  ["unpaired surrogates", "a\ud800b", "a b"],
  ["a text of exactly the maximum length", "123456789012345678901234567890", "123456789012345678901234567890"],
  ["a longer text", "1234567890123456789012345678901", "123456789012345678901234567890…"],
  ["a character that crosses the maximum length", `${"x".repeat(29)}😀`, `${"x".repeat(29)} …`],
])("makes %s safe for one line", (_, text, expected) => {
  expect(PlainText.toSingleLine(text, 30)).toBe(expected)
})
