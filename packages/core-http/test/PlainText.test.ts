import { PlainText } from "@vigil/core-http"
import { expect, it } from "vitest"

it.each([
  ["a text of its own", "The list is empty.", "The list is empty."],
  ["lines", "one\r\n\ttwo\u2028three", "one two three"],
  ["what moves a cursor or rings", "a\u001b[2Jb\u0007c\bd", "a [2Jb c d"],
  ["what turns the direction of writing", "a\u202eb\u2066c", "a b c"],
  ["what can't be seen", "a\u200bb\ufeffc", "a b c"],
  ["half characters", "a\ud800b", "a b"],
  ["a text of just the length", "123456789012345678901234567890", "123456789012345678901234567890"],
  ["a longer one", "1234567890123456789012345678901", "123456789012345678901234567890…"],
  ["a character that the length cuts in two", `${"x".repeat(29)}😀`, `${"x".repeat(29)} …`],
])("makes %s safe for one line", (_, text, expected) => {
  expect(PlainText.toSingleLine(text, 30)).toBe(expected)
})
