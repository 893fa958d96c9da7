/** The part of a program's stderr that error messages show. */
import { describe, expect, it } from "@effect/vitest"
import * as StderrText from "../src/auth/StderrText.js"

describe("the stderr of a token command", () => {
  it.each([
    ["", ""],
    ["ERROR: Please run 'az login' to setup account.\n", "ERROR: Please run 'az login' to setup account."],
    ["one\ntwo\n\nthree\r\nfour\n", "two three four"],
    [
      "node:internal/modules:1\n  throw err;\n\nError: Cannot find module 'x.js'\n    at main (x.js:1)\n\nNode.js v20",
      "Error: Cannot find module 'x.js' Node.js v20",
    ],
    ["Traceback:\n  raise\nValueError: no account\n1\n2\n3\n", "ValueError: no account 1 2"],
    ["one\n** ValueError 1\n2\n3\n4\n5", "** ValueError 1 2 3"],
    ["one\nErrors\nno error\n2\n3", "no error 2 3"],
    ["\u001b[31mERROR\u001b[0m: AZ70043\u0007", "ERROR: AZ70043"],
    [
      "Run az login --scope https://management.azure.com//.default",
      "Run az login --scope https://management.azure.com//.default",
    ],
  ] as const)("%j is shown from its error line, or else its last lines, as plain text", (stderr, text) => {
    expect(StderrText.excerpt(stderr)).toBe(text)
  })

  it.each([
    ["got canary-e7f4.token!", "got (hidden)!"],
    ["got eyJhbGciOiJub25lIn0.e30.c2ln", "got (hidden)"],
    ["got abcdefghIjklmnopq", "got (hidden)"],
    ["got \u001b[1meyJhbGci\u001b[0mOiJub25lIn0.e30", "got (hidden)"],
    ["refresh_token=pass, password: 'word'", "refresh_token=(hidden), password: '(hidden)'"],
    ['{"accessToken": "short"}', '{"accessToken": "(hidden)"}'],
    ["https://me:0123456789abcdef0123@host/", "https://me:(hidden)@host/"],
  ] as const)("%j is shown without secrets", (stderr, text) => {
    expect(StderrText.excerpt(stderr)).toBe(text)
  })

  it("does not show the token of stdout, whatever it looks like", () => {
    expect(StderrText.excerpt("the token is plain, plain", { token: "plain" })).toBe("the token is (hidden), (hidden)")
  })

  it.each([
    ["error: unrecognized arguments: --password Hunter2!", ["--password", "Hunter2!"], "(hidden) (hidden)"],
    ["error: unrecognized arguments: Hunter2!", ["--password=Hunter2!"], "(hidden)"],
    ["error: unrecognized arguments: Hunter2! Hunter2!!", ["Hunter2!", "Hunter2!!"], "(hidden) (hidden)"],
    ["error: unrecognized arguments: \u001b[1mHunter 2!\u001b[0m", ["Hunter 2!\u0007"], "(hidden)"],
    ["error: unrecognized arguments: abcd", ["abcd"], "(hidden)"],
    ["error: unrecognized arguments:\none\nHunter2!", ["some\nHunter2!"], "one (hidden)"],
    ["error: unrecognized arguments: -o json $*", ["-o", "$*", "a.*b"], "-o json $*"],
  ] as const)("%j does not show the arguments %j", (stderr, args, text) => {
    expect(StderrText.excerpt(stderr, { args })).toBe(`error: unrecognized arguments: ${text}`)
  })

  it("is cut after its secrets are removed", () => {
    const text = StderrText.excerpt(`${"word ".repeat(58)}eyJhbGciOiJub25lIn0${"0".repeat(400)}`)
    expect(text).toMatch(/^(word ){58}\(hidden\)$/)
    expect(StderrText.excerpt("word ".repeat(400))).toHaveLength(301)
  })
})
