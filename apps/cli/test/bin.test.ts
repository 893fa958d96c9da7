/** What is answered before the rest of the command is loaded: the same as the rest would say. */
import { execFileSync } from "node:child_process"
import { cpSync, readdirSync } from "node:fs"
import { dirname, join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { folder } from "./folder.js"
import { run } from "./run.js"
import { bin, vigil } from "./spawned.js"

const root = dirname(dirname(bin))

describe.each(["--version", "--help"])("vigil %s, where no terminal is,", (flag) => {
  it.live("prints the same bytes as the full program", () =>
    Effect.gen(function* () {
      const { data } = yield* run(flag)
      // Another argument leaves it to the rest.
      for (const args of [[flag], [flag, "--no-color"]])
        expect(yield* Effect.promise(() => vigil(args))).toEqual({
          code: 0,
          stdout: data.map((line) => `${line}\n`).join(""),
          stderr: "",
        })
    }),
  )

  it.live.each([{ FORCE_COLOR: "1" }, { NO_COLOR: "1" }, { COLUMNS: "40" }])("is the same with %o", (env) =>
    Effect.gen(function* () {
      const plain = yield* Effect.promise(() => vigil([flag]))
      expect(yield* Effect.promise(() => vigil([flag], { env }))).toEqual(plain)
    }),
  )

  it.scopedLive("loads no other module", () =>
    Effect.gen(function* () {
      const bare = yield* folder
      const isRest = (file: string) => /[/\\]Process-\w+\.js$/.test(file)
      // A cached build may keep those of earlier builds.
      expect(readdirSync(join(root, "dist")).filter((name) => isRest(`/${name}`))).not.toEqual([])
      cpSync(join(root, "package.json"), join(bare, "package.json"))
      cpSync(join(root, "dist"), join(bare, "dist"), { recursive: true, filter: (file) => !isRest(file) })
      const { stdout } = yield* Effect.promise(() => vigil([flag]))
      expect(execFileSync(process.execPath, [join(bare, "dist/bin.js"), flag], { encoding: "utf8" })).toBe(stdout)
    }),
  )

  it.live("exits with 141 without a message if its reader is gone", () =>
    Effect.gen(function* () {
      const ended = yield* Effect.promise(() => vigil([flag], { onStart: (child) => child.stdout?.destroy() }))
      expect(ended).toEqual({ code: 141, stdout: "", stderr: "" })
    }),
  )
})
