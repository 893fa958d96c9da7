import { describe, expect, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import { afterEach, vi } from "vitest"
import * as Cli from "../../src/Cli.js"
import { Output } from "../../src/output/Output.js"
import { examplesOf } from "../support/commands.js"
import { emptyInput, run } from "../support/run.js"

afterEach(() => {
  vi.unstubAllEnvs()
})

const now = Date.parse("2026-03-10T12:00:00Z")

/** Runs the command until the test ends. Returns its first printed lines, its notes and its fiber. */
const serve = (args: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const printed = yield* Deferred.make<ReadonlyArray<string>>()
    const notes: Array<string> = []
    const fiber = yield* Effect.forkScoped(
      Cli.run(args).pipe(
        Effect.provideService(Output, {
          data: (lines) => Deferred.succeed(printed, lines),
          note: (text) => Effect.sync(() => void notes.push(text)),
          status: () => Effect.void,
          width: undefined,
          color: false,
        }),
        emptyInput,
      ),
    )
    // A command that ends before it prints has failed.
    const ended = Effect.map(Fiber.join(fiber), (code) => [`It ended with ${code}: ${notes.join(" ")}`])
    return { lines: yield* Effect.race(Deferred.await(printed), ended), notes, fiber }
  })

const settings = (lines: ReadonlyArray<string>): Readonly<Record<string, string>> =>
  Object.fromEntries(
    lines.flatMap((line) => {
      const [, name, value] = /^export (\w+)="?([^ "]+)"?$/.exec(line) ?? []
      return name === undefined || value === undefined ? [] : [[name, value]]
    }),
  )

/** Sets the environment variables that the lines export. */
const applyExports = (lines: ReadonlyArray<string>) => {
  for (const [name, value] of Object.entries(settings(lines))) vi.stubEnv(name, value)
}

describe("sandbox", () => {
  it.live("prints the settings, and serves both APIs", () =>
    Effect.gen(function* () {
      const { lines } = yield* serve(["sandbox"])
      applyExports(lines)
      const listed = Effect.map(run("events list"), ({ code, notes }) => [code, notes.at(-1)])
      expect(yield* listed).toEqual([0, expect.stringMatching(/^\d+ events of Production and Staging/)])
      expect(yield* run("why web-1 --subscription Production")).toMatchObject({ code: 10 })
      applyExports([lines.at(-1)?.replace(/^#[^:]*: /, "") ?? ""])
      expect(yield* listed).toEqual([0, expect.stringMatching(/^\d+ events of \S+, the tenant and emerging issues on/)])
      expect(yield* run("apps whoami")).toMatchObject({ code: 0 })
      const doctor = yield* run("doctor -o json")
      expect(doctor.code).toBe(0)
      expect(doctor.data.join("")).toContain("the token is accepted")
      const url = yield* run("apps url fleet/dispatch")
      expect(url.data).toEqual([`${settings(lines)["APPMGMT_PORTAL_URL"]}/orgs/fleet/apps/dispatch`])
    }),
  )

  it.live("serves and prints the vendor of the settings, quoted for a shell, also with --sandbox", () =>
    Effect.gen(function* () {
      vi.stubEnv("HEALTH_VENDOR", "O'Neil & Sons")
      expect((yield* serve(["sandbox"])).lines).toContain(`export HEALTH_VENDOR="O'Neil & Sons"`)
      vi.stubEnv("HEALTH_VENDOR", "Acme")
      const { lines } = yield* serve(["sandbox"])
      expect(settings(lines)).toMatchObject({ HEALTH_VENDOR: "Acme" })
      applyExports(lines)
      for (const line of ["events list -o json", "events list --sandbox -o json"]) {
        const { code, data } = yield* run(line)
        expect([code, data.join("")]).toEqual([0, expect.stringContaining("/providers/Acme.ResourceHealth/events/")])
      }
    }),
  )

  it.effect("changes an event at each interval of --change-every", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(now)
      const { lines } = yield* serve(["sandbox", "--change-every", "30s"])
      applyExports(lines)
      const newest = Effect.map(run("events list --output jsonl --limit 1"), ({ data }) => data.join(""))
      expect(yield* newest).toContain('"status":"Active"')
      yield* TestClock.adjust("90 seconds")
      expect(yield* newest).toContain('"status":"Resolved"')
    }),
  )

  it.live("serves a fault instead of health events, and still serves apps", () =>
    Effect.gen(function* () {
      const { lines, notes } = yield* serve(["sandbox", "--fault", "status-403"])
      applyExports(lines)
      expect((yield* run("events list -s x")).code).toBe(4)
      expect((yield* run("apps whoami")).code).toBe(0)
      expect(notes[0]).toContain("403")
    }),
  )

  it.live("lists the faults, and suggests one for an unknown name", () =>
    Effect.gen(function* () {
      const list = yield* run("sandbox --fault list")
      expect(list.code).toBe(0)
      expect(list.data).toContainEqual(expect.stringMatching(/^status-403\t.*403/))
      const unknown = yield* run("sandbox --fault status-50")
      expect(unknown).toMatchObject({ code: 2, data: [] })
      expect(unknown.notes[0]).toMatch(/"status-50".*status-500\?/)
      const both = yield* run("sandbox --fault status-503 --change-every 30s")
      expect(both.notes[0]).toContain("--fault and --change-every")
    }),
  )

  it.live.each(examplesOf("vigil sandbox").filter((line) => !line.endsWith(" list")))("%s works", (line) =>
    Effect.gen(function* () {
      const { lines } = yield* serve(line.replace("8080", "0").split(" ").slice(1))
      expect(lines[0]).toMatch(/^export HEALTH_BASE_URL=http/)
    }),
  )
})
