/** The folders of a user without a home: systemd sets no `HOME` for a dynamic user. */
import { syncBuiltinESMExports } from "node:module"
import os from "node:os"
import { parse } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { afterEach, vi } from "vitest"
import * as Environment from "../../src/settings/Environment.js"
import { run } from "../support/run.js"
import { makeWorkspace } from "../support/workspace.js"

afterEach(() => {
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
  syncBuiltinESMExports()
})

const { root } = parse(process.execPath)

const setHome = (home: () => string) => {
  vi.spyOn(os, "homedir").mockImplementation(home)
  syncBuiltinESMExports()
}

describe("without a home folder", () => {
  it.live("commands run with the default settings", () =>
    Effect.gen(function* () {
      yield* makeWorkspace
      vi.stubEnv("XDG_CONFIG_HOME", undefined)
      vi.stubEnv("XDG_DATA_HOME", undefined)
      setHome(() => {
        throw new Error("uv_os_homedir returned ENOENT (no such file or directory)")
      })
      expect(Environment.home()).toBe(root)
      expect(yield* run("events list --sandbox")).toMatchObject({ code: 0 })
    }),
  )

  it("the working folder is not used for an empty HOME", () => {
    setHome(() => "")
    expect(Environment.home()).toBe(root)
  })
})
