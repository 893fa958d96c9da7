import { execFileSync } from "node:child_process"
import { describe, expect, it } from "vitest"
import * as Shell from "../../src/command/Shell.js"

describe("a printed command", () => {
  it.each([
    ["/subscriptions/x", "/subscriptions/x"],
    ["", `""`],
    ["it's", `"it's"`],
    ["a,b", `"a,b"`],
    ["cost $5!", "'cost $5!'"],
    [`a "b" \\ \`c\``, `'a "b" \\ \`c\`'`],
    ["“; exit; “", "'“; exit; “'"],
    ["it's $5", String.raw`'it'\''s $5'`],
  ])("has %j as one word of a POSIX shell, and without both kinds of quotes of PowerShell", (text, word) => {
    expect(Shell.word(text)).toBe(word)
    expect(execFileSync("sh", ["-c", `printf %s ${word}`], { encoding: "utf8" })).toBe(text)
  })

  it("has the flags of the connection, and joins a value that begins with a dash to its flag", () => {
    const given = { baseUrl: "https://x", apiVersion: undefined }
    const command = (...words: ReadonlyArray<string>) => Shell.vigil({ given, sandbox: undefined }, "why", ...words)
    expect(command(...Shell.flag("--subscription", "-Prod"))).toBe(
      "vigil why --subscription=-Prod --base-url https://x",
    )
  })
})
