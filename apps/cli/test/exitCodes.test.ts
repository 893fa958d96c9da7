/** Each exit code of the README is reached, and no other is promised. */
import { readFileSync } from "node:fs"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { OutputError } from "../src/output/Output.js"
import { type RunOptions, run } from "./run.js"
import { service } from "./service.js"
import { vigil } from "./spawned.js"

const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8")

/** The codes of its table: the rows between the heading and the next empty line. */
const documented = [
  ...(/\| exit code[^\n]*\n((?:\|[^\n]*\n)+)/.exec(readme)?.[1] ?? "").matchAll(/^\| ([\d, ]+?) +\|/gm),
]
  .flatMap(([, codes = ""]) => codes.split(", "))
  .map(Number)

const failing = (code: string): RunOptions => ({ watch: () => new OutputError({ code }) })

/** A run within the test, against the sandbox. */
const within = (line: string, options?: RunOptions) => Effect.map(run(line, options), ({ code }) => code)

/** A run against a service that gives this one answer. */
const answered = (status: number, body = "") =>
  Effect.flatMap(service({ status, body }), (url) => within(`events list -s x --base-url ${url}`))

/** A process that is ended. */
const ended = (signal: "SIGHUP" | "SIGINT" | "SIGTERM") =>
  Effect.map(
    Effect.promise(() => vigil(["sandbox"], { onFirstOutput: (child) => child.kill(signal) })),
    ({ code }) => code,
  )

const ways = [
  [0, "a list that is read to its end", within("events list --sandbox")],
  [
    1,
    "a question that is not answered by yes",
    within("apps remove-user a/b a@b.example --sandbox", { answers: ["no"] }),
  ],
  [2, "an unknown flag", within("events list --sandbox --nope")],
  [3, "a service that refuses the token", answered(401)],
  [4, "a service that refuses the right", answered(403)],
  [5, "a subscription that is not there", within("events list --sandbox -s nope")],
  [6, "a service that is not there", within("events list -s x --base-url http://127.0.0.1:1")],
  [7, "a response that is not a list", answered(200, "[]")],
  [8, "a service that refuses the request", answered(409)],
  [
    70,
    "an output that has a defect",
    within("apps whoami --sandbox", { watch: () => Effect.die(new Error("planted")) }),
  ],
  [74, "a disk that is full", within("apps whoami --sandbox", failing("ENOSPC"))],
  [129, "SIGHUP", ended("SIGHUP")],
  [130, "SIGINT", ended("SIGINT")],
  [143, "SIGTERM", ended("SIGTERM")],
  [141, "a reader that went away", within("apps whoami --sandbox", failing("EPIPE"))],
] as const

describe("an exit code", () => {
  it("stands in the README when it is reached here, and is reached when it stands there", () => {
    expect(documented).toEqual(ways.map(([code]) => code))
  })

  it.scopedLive.each(ways)("of %i is that of %s", ([code, , way]) =>
    Effect.gen(function* () {
      expect(yield* way).toBe(code)
    }),
  )
})
