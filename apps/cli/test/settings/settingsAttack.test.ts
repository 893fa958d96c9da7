/** Settings files that another user may have written, and what they may do. */
import { chmodSync, chownSync } from "node:fs"
import { dirname, join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import * as ApiVersion from "@vigil/health-schema/ApiVersion"
import { Faults, Reply } from "@vigil/sandbox"
import * as Effect from "effect/Effect"
import { afterEach, vi } from "vitest"
import * as BoundedFile from "../../src/files/BoundedFile.js"
import { run } from "../support/run.js"
import { makeWorkspace } from "../support/workspace.js"

afterEach(() => {
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
})

/** The user's service, the attacker's service, and settings that name the attacker's. */
const scene = Effect.gen(function* () {
  const workspace = yield* makeWorkspace
  const own = yield* Faults.serve(() => Reply.page([]))
  const evil = yield* Faults.serve(() => Reply.page([]))
  vi.stubEnv("HEALTH_ACCESS_TOKEN", "canary-77e1-token")
  const settings = JSON.stringify({ healthBaseUrl: evil.origin, subscription: "evil", apiVersion: "2025-04-01" })
  return { workspace, own, evil, settings }
})

/** Makes another user own the file. Without root, changes the user ID that this process reports instead. */
const giveAway = (file: string) => {
  if (process.getuid?.() === 0) return chownSync(file, 65_534, 65_534)
  vi.spyOn(process as Required<Pick<NodeJS.Process, "getuid">>, "getuid").mockReturnValue(65_534)
}

describe("a settings file that another user may have written", () => {
  it.live.each([
    ["that belongs to another user", "belongs to another user", giveAway],
    ["that others can write to", "other users can write to it", (file: string) => chmodSync(file, 0o646)],
    [
      "in a sticky folder such as /tmp",
      "other users can write to its folder",
      (file: string) => chmodSync(dirname(file), 0o1777),
    ],
  ] as const)("(%s) is ignored with a note, even if it is invalid", ([, words, attack]) =>
    Effect.gen(function* () {
      const { evil, own, settings, workspace } = yield* scene
      vi.stubEnv("HEALTH_BASE_URL", own.origin)
      for (const text of [settings, "{"]) {
        workspace.write(workspace.user, text)
        attack(workspace.user)
        const { code, notes } = yield* run("events list -s mine")
        expect(code).toBe(0)
        expect(notes[0]).toContain(`vigil: Ignored ${JSON.stringify(workspace.user)}: `)
        expect(notes[0]).toContain(words)
      }
      expect((yield* own.awaitRequests(1)).target).toMatch(
        new RegExp(`/subscriptions/mine/.*api-version=${ApiVersion.defaultVersion}`),
      )
      expect(yield* Effect.all([evil.requests, evil.bytes])).toEqual([[], ""])
    }),
  )

  it.live("is reported by doctor as a warning, and not mentioned by completions", () =>
    Effect.gen(function* () {
      const { settings, workspace } = yield* scene
      workspace.write(workspace.user, settings, 0o666)
      chmodSync(workspace.user, 0o666)
      const { code, data, notes } = yield* run("doctor -o json")
      expect({ code, notes }).toEqual({ code: 1, notes: [expect.any(String)] })
      expect(JSON.parse(data.join("\n"))).toContainEqual(
        expect.objectContaining({ check: "settings file", result: "warning", found: "ignored", from: workspace.user }),
      )
      expect(yield* run("completions bash")).toMatchObject({ code: 0, notes: [] })
    }),
  )
})

describe("the working folder", () => {
  it.live("has no settings", () =>
    Effect.gen(function* () {
      const { evil, own, settings, workspace } = yield* scene
      for (const name of ["vigil.config.json", "config.json", "vigil/config.json"])
        workspace.write(join(workspace.folder, name), settings)
      vi.stubEnv("HEALTH_BASE_URL", own.origin)
      expect(yield* run("events list")).toMatchObject({ code: 2 })
      expect(yield* run("events list -s mine")).toMatchObject({ code: 0 })
      expect(yield* evil.requests).toEqual([])
    }),
  )
})

describe("the permissions of a file and its folder", () => {
  const [me, other] = [1000, 2000]
  const mine = { uid: me, gid: me, mode: 0o600 }

  it.each([
    ["a file and a folder of the user's own", mine, mine, undefined],
    ["a file and a folder of root", { ...mine, uid: 0 }, { ...mine, uid: 0 }, undefined],
    ["files that the user's private group can write to", { ...mine, mode: 0o664 }, { ...mine, mode: 0o775 }, undefined],
    ["a file of another user", { ...mine, uid: other }, mine, "it belongs to another user"],
    ["a folder of another user", mine, { ...mine, uid: other }, "its folder belongs to another user"],
    ["a file that a group can write to", { ...mine, gid: other, mode: 0o660 }, mine, "other users can write to it"],
    [
      "a folder that a group can write to",
      mine,
      { ...mine, gid: other, mode: 0o770 },
      "other users can write to its folder",
    ],
  ] as const)("are checked: %s", (_, file, folder, reason) => {
    expect(BoundedFile.distrust(file, folder, me)).toBe(reason)
  })
})

describe("the size of a settings file", () => {
  it.live("is at most 4096 KB", () =>
    Effect.gen(function* () {
      const { own, workspace } = yield* scene
      const text = JSON.stringify({ healthBaseUrl: own.origin, subscription: "p" })
      workspace.write(workspace.user, text.padEnd(4 * 1024 * 1024))
      expect(yield* run("events list")).toMatchObject({ code: 0 })
      workspace.write(workspace.user, text.padEnd(4 * 1024 * 1024 + 1))
      expect(yield* run("events list")).toMatchObject({
        code: 2,
        notes: [expect.stringContaining("is larger than 4096 KB.")],
      })
    }),
  )
})
