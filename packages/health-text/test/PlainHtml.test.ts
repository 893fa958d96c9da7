import { describe, expect, it } from "vitest"
import * as PlainHtml from "@vigil/health-text/PlainHtml"

describe("a text of an event", () => {
  it.each([
    ["plain\n  text, 5 <6 & 7> a < b", "plain\n  text, 5 <6 & 7> a < b"],
    ["one\ntwo &amp; three", "one\ntwo & three"],
    ["<p>one</p><p>two</p>", "one\n\ntwo"],
    ["a<br>b", "a\nb"],
    [`<a href="https://a.example/b">guide</a>`, "guide (https://a.example/b)"],
    [`<a href="https://a.example">https://a.example</a>`, "https://a.example"],
    [`<a href="javascript:alert(1)">guide</a> <a href="#top">up</a>`, "guide up"],
    [`<a href="mailto:a@b.example">write</a>`, "write (a@b.example)"],
    ["<ul><li>one<ul><li>deep</li></ul></li><li>two</li></ul>", "- one\n  - deep\n- two"],
    ["<ol><li>one<li>two</ol>", "1. one\n 2. two"],
    [
      "<table><thead><tr><th>A</th><th>B</th></tr></thead><tr><td><p>1</p></td><td><div>2</div><p>3</p></td></tr></table>",
      "A | B\n1 | 2 3",
    ],
    ["<h2>Heading</h2>text", "Heading\n\ntext"],
    [`<img src="data:image/png;base64,AAAA" alt="A chart"><img src="https://track.example/x">`, "A chart"],
    ["<script>alert(1)</script><style>b{}</style><!-- no -->yes", "yes"],
    ["&lt;script&gt;", "<script>"],
    ["", ""],
  ])("%j is read as %j", (html, text) => {
    expect(PlainHtml.text(html)).toBe(text)
  })

  it.each([["<div>"], ["<b>"], ["<table><tr><td>"], ["<ul><li>"], ["<"], ["<!--"], [`<td colspan="99999999">`]])(
    "can repeat %s 3,000 times",
    (tag) => {
      expect(PlainHtml.text(tag.repeat(3_000)).length).toBeLessThan(20_000)
    },
  )

  it("is read in linear time", () => {
    expect(PlainHtml.text(`<a href='${"@".repeat(90_000)}/'>x</a>`)).toBe("x")
  })

  it("is truncated if it is too long", () => {
    expect(PlainHtml.text("x".repeat(1_000_000))).toBe(`${"x".repeat(99_999)}…`)
  })
})
