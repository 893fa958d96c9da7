import { execFileSync } from "node:child_process"
import { describe, expect, it } from "vitest"
import * as TerminalText from "@vigil/health-text/TerminalText"
import * as CodePoint from "@vigil/testing/CodePoint"
import * as Property from "@vigil/testing/property"
import * as FastCheck from "fast-check"
import * as Shell from "../../src/command/Shell.js"
import { texts } from "../support/hostile.js"

const given = { baseUrl: "https://x", apiVersion: undefined }
const command = (args: ReadonlyArray<string>, flags: ReadonlyArray<string> = []) =>
  Shell.vigil({ given, sandbox: undefined }, "why", args, flags)

/** The arguments that commands get from a shell. */
const run = (commands: ReadonlyArray<string>) =>
  execFileSync("sh", ["-c", [String.raw`vigil() { printf '%s\0' "$@"; printf '\n'; }`, ...commands].join("\n")])
    .toString()
    .split("\0\n")
    .slice(0, -1)
    .map((line) => line.split("\0"))

/** What ends, begins or hides a quote. */
const fragments = [
  ...Object.values(texts),
  ..."'\"`$\\!#&;|<>(){}*?~=%^ \t\n\r-",
  "--",
  "$(touch x)",
  "`id`",
  "\u001b",
  "\u001b[",
  "\u001b]0;",
  "\u009b",
  "\u0007",
  "\u0000",
  "\u200b-",
  "\u2028",
  "a",
  "“",
  "’",
]
const name = FastCheck.array(FastCheck.oneof(FastCheck.constantFrom(...fragments), CodePoint.arbitrary), {
  maxLength: 8,
}).map((parts) => parts.join(""))

describe("a printed command", () => {
  it.each([
    ["/subscriptions/x", "/subscriptions/x"],
    ["", `""`],
    ["it's", `"it's"`],
    ["a,b", `"a,b"`],
    ["a#b", `"a#b"`],
    ["=a", `"=a"`],
    ["cost $5!", "'cost $5!'"],
    [`a "b" \\ \`c\``, `'a "b" \\ \`c\`'`],
    ["“; exit; “", "'“; exit; “'"],
    ["it's $5", String.raw`'it'\''s $5'`],
  ])("has %j as one word of a POSIX shell, and without both kinds of quotes of PowerShell", (text, word) => {
    expect(Shell.word(text)).toBe(word)
    expect(execFileSync("sh", ["-c", `printf %s ${word}`], { encoding: "utf8" })).toBe(text)
  })

  it("has the flags of the connection, and joins a value that begins with a dash to its flag", () => {
    expect(command([], Shell.flag("--subscription", "-Prod"))).toBe(
      "vigil why --subscription=-Prod --base-url https://x",
    )
  })

  it("has an argument that begins with a dash after all flags", () => {
    expect(command(["-x"])).toBe("vigil why --base-url https://x -- -x")
  })

  Property.sync(
    "runs in a shell with the words that it shows, whatever a service names",
    [FastCheck.array(FastCheck.tuple(name, name), { minLength: 30, maxLength: 30 })],
    ([names]) => {
      const commands = names.map(([one, other]) => command([one], Shell.flag("--subscription", other)))
      expect(commands.map(TerminalText.safe)).toEqual(commands)
      const expected = names.map((both) => {
        const [one = "", other = ""] = both.map(TerminalText.line)
        const flags = [
          ...(other.startsWith("-") ? [`--subscription=${other}`] : ["--subscription", other]),
          "--base-url",
          "https://x",
        ]
        return ["why", ...(one.startsWith("-") ? [...flags, "--", one] : [one, ...flags])]
      })
      expect(run(commands)).toEqual(expected)
    },
  )
})
