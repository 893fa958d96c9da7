/** The part of a program's stderr that error messages show. */
import { describe, expect, it } from "@effect/vitest"
import * as StderrText from "../src/auth/StderrText.js"

describe("the stderr of a token command", () => {
  it.each([
    ["", ""],
    ["one\ntwo\n\nthree\r\nfour\n", "two three four"],
    ["\u001b[31mERROR\u001b[0m: AZ70043\u0007", "ERROR: AZ70043"],
    [
      "Run az login --scope https://management.azure.com//.default",
      "Run az login --scope https://management.azure.com//.default",
    ],
    ["got canary-e7f4.token!", "got (hidden)!"],
    ["got abcdefghIjklmnopq", "got (hidden)"],
    ["got \u001b[1meyJhbGci\u001b[0mOiJub25lIn0.e30", "got (hidden)"],
    ["refresh_token=pass, password: 'word'", "refresh_token=(hidden), password: '(hidden)'"],
    ['{"accessToken": "short"}', '{"accessToken": "(hidden)"}'],
    ["https://me:0123456789abcdef0123@host/", "https://me:(hidden)@host/"],
  ] as const)("%j is shown by its last lines, as plain text without secrets", (stderr, text) => {
    expect(StderrText.excerpt(stderr)).toBe(text)
  })

  it("does not show the token of stdout, whatever it looks like", () => {
    expect(StderrText.excerpt("the token is plain, plain", { token: "plain" })).toBe("the token is (hidden), (hidden)")
  })

  it.each([
    ["unrecognized: --password Hunter2!", ["--password", "Hunter2!"], "unrecognized: (hidden) (hidden)"],
    ["unrecognized: Hunter2! Hunter2!!", ["--password=Hunter2!", "Hunter2!!"], "unrecognized: (hidden) (hidden)"],
    ["unrecognized: \u001b[1mHunter 2!\u001b[0m", ["Hunter 2!\u0007"], "unrecognized: (hidden)"],
    ["unrecognized:\none\nHunter2!", ["some\nHunter2!"], "unrecognized: one (hidden)"],
    ["unrecognized: -o json $*", ["-o", "$*", "a.*b"], "unrecognized: -o json $*"],
  ] as const)("%j does not show the arguments %j", (stderr, args, text) => {
    expect(StderrText.excerpt(stderr, { args })).toBe(text)
  })

  it("is cut after its secrets are removed", () => {
    const text = StderrText.excerpt(`${"word ".repeat(58)}eyJhbGciOiJub25lIn0${"0".repeat(400)}`)
    expect(text).toMatch(/^(word ){58}\(hidden\)$/)
    expect(StderrText.excerpt("word ".repeat(400))).toHaveLength(301)
  })
})
