import * as Cause from "effect/Cause"
import { describe, expect, it } from "vitest"
import * as Failure from "../../src/command/Failure.js"
import * as Defect from "../../src/output/Defect.js"

const folder = new URL("../../src/output/", import.meta.url).pathname

const sentence = (description: string) => `This is a bug in vigil, please report it: ${description}.`

const secret = "secret-1f3b"

/** An error of vigil with a message that continues as a stack does. */
const hostile = () => {
  const error = new TypeError(`${secret}\n    at ${secret} (file://${folder}${secret}.js:1:1)`)
  error.stack = `TypeError: ${error.message}\n    at run (file://${folder}Serve-A.js:12:34)\n    at node:internal/x:1:1\n    at file://${folder}b/c.js:5:6`
  return error
}

describe("a defect", () => {
  it("is described by its type and where it was thrown in vigil", () => {
    expect(Defect.make(hostile()).message).toBe(sentence("TypeError at Serve-A.js:12:34 at b/c.js:5:6"))
  })

  it.each([
    ["a text", secret, "string"],
    ["an object", { name: secret, message: secret, stack: secret, constructor: { name: secret } }, "object"],
    ["an error with another name", Object.assign(new RangeError(secret), { name: secret }), "RangeError"],
    ["an error with another message", Object.assign(hostile(), { message: "other" }), "TypeError"],
    [
      "an error of a class with a strange name",
      new (class extends Error {
        static override readonly name = `${secret} `
      })(secret),
      "Error",
    ],
  ] as const)("that is %s has only its type", (_, defect, type) => {
    expect(Defect.make(defect).message).toBe(sentence(type))
  })

  it("ends a command with 70", () => {
    expect(Failure.report(Cause.die(hostile()))).toEqual({
      sentence: sentence("TypeError at Serve-A.js:12:34 at b/c.js:5:6"),
      exitCode: 70,
    })
  })

  it("is not printed by the log of its cause", () => {
    expect(Cause.pretty(Defect.clean(Cause.die(hostile())))).not.toContain(secret)
  })
})
