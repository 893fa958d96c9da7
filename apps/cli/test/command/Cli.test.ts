import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { afterEach, vi } from "vitest"
import { version } from "../../src/command/Version.js"
import { run } from "../support/run.js"

afterEach(() => {
  vi.unstubAllEnvs()
})

describe("apps whoami", () => {
  it.live("prints the profile, and the response with json", () =>
    Effect.gen(function* () {
      const table = yield* run("apps whoami --sandbox")
      expect(table).toMatchObject({ code: 0, notes: [] })
      expect(table.data).toContain("email\tada@vigil.example")
      const json = yield* run("apps whoami --sandbox --output json")
      expect(JSON.parse(json.data.join(""))).toMatchObject({ name: "ada", avatar_url: null })
    }),
  )
})

/** An error is one sentence that names the problem and the next step. */
describe("a failure", () => {
  it.live.each([
    ["events list --sandbox --subscription 00000000-0000-0000-0000-000000000000", 5, "'00000000-"],
    ["events list --sandbox --subscription a/b", 2, `--subscription "a/b"`],
    ["events list --sandbox --resource a//b", 2, `--resource "a//b"`],
    ["events list --sandbox -s a -r b", 2, "--resource"],
    ["events list --base-url http://127.0.0.1:1 -s x", 6, "ECONNREFUSED"],
    ["events list --base-url https://nowhere.invalid -s x", 6, "https://nowhere.invalid"],
    ["events list --base-url nowhere -s x", 2, "--base-url"],
    ["events list --base-url http://127.0.0.1:1", 2, "HEALTH_SUBSCRIPTION"],
    ["events list --base-url http://127.0.0.1:1 --sandbox", 2, "--sandbox and --base-url"],
    ["events list -s x", 2, "HEALTH_BASE_URL"],
    ["events list --sandbox --api-version 2020-1-1", 2, "2025-05-01"],
    ["apps whoami", 2, "APPMGMT_BASE_URL"],
    ["apps whoami --base-url https://apps.example", 3, "APPMGMT_API_TOKEN"],
  ] as const)("of vigil %s has exit code %i", ([line, exitCode, noun]) =>
    Effect.gen(function* () {
      const { code, data, notes } = yield* run(line)
      expect({ code, data }).toEqual({ code: exitCode, data: [] })
      expect(notes).toHaveLength(1)
      expect(notes[0]).toMatch(/^vigil: .*[.?]$/)
      expect(notes[0]).toContain(noun)
      expect(notes[0]).not.toMatch(/\n|\s{4}at |Error:/)
    }),
  )

  it.live("caused by a setting names the setting, not its value", () =>
    Effect.gen(function* () {
      vi.stubEnv("VIGIL_SANDBOX", "banana")
      const { code, notes } = yield* run("events list")
      expect({ code, notes }).toEqual({ code: 2, notes: [expect.stringContaining("VIGIL_SANDBOX")] })
      expect(notes[0]).not.toContain("banana")
    }),
  )

  it.live.each([
    ["1", 0],
    ["true", 0],
    ["YES", 0],
    ["On", 0],
    ["", 2],
    ["0", 2],
    ["False", 2],
    ["no", 2],
    ["OFF", 2],
  ] as const)("is not caused by VIGIL_SANDBOX=%s, which is a boolean", ([value, code]) =>
    Effect.gen(function* () {
      vi.stubEnv("VIGIL_SANDBOX", value)
      const ended = yield* run("events list --limit 1")
      expect(ended.code).toBe(code)
      if (code === 2) expect(ended.notes[0]).toContain("HEALTH_BASE_URL")
    }),
  )

  it.live("caused by a token does not contain it", () =>
    Effect.gen(function* () {
      vi.stubEnv("HEALTH_ACCESS_TOKEN", "canary-44e0")
      vi.stubEnv("HEALTH_BASE_URL", "http://far.example")
      const exposed = yield* run("events list -s x")
      expect(exposed).toMatchObject({ code: 2, data: [], notes: [expect.stringContaining("HTTP")] })
      expect(JSON.stringify(exposed)).not.toContain("canary")
    }),
  )
})

describe("vigil", () => {
  it.live("prints its version with --version", () =>
    Effect.gen(function* () {
      for (const line of ["--version", "--version --no-color"]) expect((yield* run(line)).data).toEqual([version])
    }),
  )
})
