/** Each exit code of the README has a case here, and each case is in the README. */
import { readFileSync } from "node:fs"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { OutputError } from "../../src/output/Output.js"
import { type RunOptions, run } from "../support/run.js"
import { service } from "../support/service.js"

const readme = readFileSync(new URL("../../README.md", import.meta.url), "utf8")

/** The exit codes in the table of the README: the rows between the heading and the next empty line. */
const documented = [
  ...(/\| exit code[^\n]*\n((?:\|[^\n]*\n)+)/.exec(readme)?.[1] ?? "").matchAll(/^\| ([\d, ]+?) +\|/gm),
]
  .flatMap(([, codes = ""]) => codes.split(", "))
  .map(Number)

const failing = (code: string): RunOptions => ({ watch: () => new OutputError({ code }) })

/** The exit code of a run in the test process. */
const exitCodeOf = (line: string, options?: RunOptions) => Effect.map(run(line, options), ({ code }) => code)

/** The exit code of a list from a service that always sends this response. */
const exitCodeOfResponse = (status: number, body = "") =>
  Effect.flatMap(service({ status, body }), (url) => exitCodeOf(`events list -s x --base-url ${url}`))

/** The exit code of `vigil why` for a resource that is not available. The response is both its status and an empty list. */
const exitCodeOfReason = (reasonType: string) => {
  const reportedTime = new Date().toISOString()
  // An entry of the emerging issues, and a notice that ended in the lists of events.
  const value = [{ id: "/x", properties: { eventType: "HealthAdvisory", status: "Resolved" } }]
  const body = JSON.stringify({ value, properties: { availabilityState: "Unavailable", reasonType, reportedTime } })
  const line = "why /subscriptions/s/resourceGroups/g/providers/V.Compute/virtualMachines/web-1"
  return Effect.flatMap(service({ body }), (url) => exitCodeOf(`${line} --base-url ${url}`))
}

/** Tested with processes: `events watch` and files that are written end by SIGHUP, a token command by the others. */
const ofSignals = [129, 130, 143]

const cases = [
  [0, "a complete list", exitCodeOf("events list --sandbox")],
  [1, "a declined confirmation", exitCodeOf("apps remove-user a/b a@b.example --sandbox", { answers: ["no"] })],
  [2, "an unknown flag", exitCodeOf("events list --sandbox --nope")],
  [3, "a 401 response", exitCodeOfResponse(401)],
  [4, "a 403 response", exitCodeOfResponse(403)],
  [5, "an unknown subscription", exitCodeOf("events list --sandbox -s nope")],
  [6, "an unreachable service", exitCodeOf("events list -s x --base-url http://127.0.0.1:1")],
  [7, "a response that is not a list", exitCodeOfResponse(200, "[]")],
  [8, "a 409 response", exitCodeOfResponse(409)],
  [10, "an outage of the platform", exitCodeOfReason("Unplanned")],
  [11, "planned maintenance", exitCodeOfReason("Planned")],
  [12, "an action of the owner", exitCodeOfReason("UserInitiated")],
  [13, "a state without a reason", exitCodeOfReason("")],
  [70, "a defect in vigil", exitCodeOf("apps whoami --sandbox", { watch: () => Effect.die(new Error("planted")) })],
  [74, "a full disk", exitCodeOf("apps whoami --sandbox", failing("ENOSPC"))],
  [141, "a closed pipe", exitCodeOf("apps whoami --sandbox", failing("EPIPE"))],
] as const

describe("the exit code", () => {
  it("is documented in the README, and each documented exit code is tested", () => {
    expect(documented.filter((code) => !ofSignals.includes(code))).toEqual(cases.map(([code]) => code))
    expect(documented).toEqual(expect.arrayContaining(ofSignals))
  })

  it.live.each(cases)("is %i for %s", ([code, , exitCode]) =>
    Effect.gen(function* () {
      expect(yield* exitCode).toBe(code)
    }),
  )
})
