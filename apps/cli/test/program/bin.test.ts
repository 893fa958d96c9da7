/** What the entry point does without loading the full program. */
import { spawnSync } from "node:child_process"
import { cpSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { folder } from "../support/folder.js"
import { bin, vigil } from "../support/subprocess.js"

const root = dirname(dirname(bin))

/** The entry point in a folder without the full program. */
const withoutProgram = Effect.map(folder, (bare) => {
  const isFullProgram = (file: string) => /[/\\]Process-\w+\.js$/.test(file)
  // A cached build may contain such files of earlier builds.
  expect(readdirSync(join(root, "dist")).filter((name) => isFullProgram(`/${name}`))).not.toEqual([])
  cpSync(join(root, "package.json"), join(bare, "package.json"))
  cpSync(join(root, "dist"), join(bare, "dist"), { recursive: true, filter: (file) => !isFullProgram(file) })
  return (flag: string, options: ReadonlyArray<string> = []) => {
    const args = [...options, join(bare, "dist/bin.js"), flag]
    const { status, stderr, stdout } = spawnSync(process.execPath, args, { encoding: "utf8" })
    return { code: status, stdout, stderr }
  }
})

describe.each(["--version", "--help"])("vigil %s without a terminal", (flag) => {
  it.live("prints the same bytes as the full program, without loading it", () =>
    Effect.gen(function* () {
      // With another argument, the full program runs.
      const full = yield* Effect.promise(() => vigil([flag, "--no-color"]))
      expect(full).toMatchObject({ code: 0, stderr: "" })
      expect((yield* withoutProgram)(flag)).toEqual(full)
    }),
  )

  it.live("exits with 141 without a message if its reader has closed the pipe", () =>
    Effect.gen(function* () {
      const closed = join(yield* folder, "closed")
      const ended = yield* Effect.promise(() =>
        vigil([flag], {
          before: `until [ -e ${closed} ]; do sleep 0.01; done`,
          onStart: ({ stdout }) => stdout?.once("close", () => writeFileSync(closed, "")).destroy(),
        }),
      )
      expect(ended).toEqual({ code: 141, stdout: "", stderr: "" })
    }),
  )
})

describe("vigil --version", () => {
  it.live("is the version of the package, or of the pending release with -dev", () =>
    Effect.gen(function* () {
      const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { readonly version: string }
      const changesets = join(root, "../../.changeset")
      const isPending = readdirSync(changesets).some((file) =>
        /^"@vigil\/cli": /m.test(readFileSync(join(changesets, file), "utf8")),
      )
      const { stdout } = yield* Effect.promise(() => vigil(["--version"]))
      expect(stdout).toMatch(isPending ? /^\d+\.\d+\.\d+-dev\n$/ : `${version}\n`)
    }),
  )
})

it.live("an older Node.js gets one sentence, and nothing is loaded", () =>
  Effect.gen(function* () {
    const older = `Object.defineProperty(process, "versions", { value: { node: "22.18.0" } })`
    const { code, stderr, stdout } = (yield* withoutProgram)("events", [`--import=data:text/javascript,${older}`])
    expect([code, stdout]).toEqual([2, ""])
    expect(stderr).toMatch(/^vigil: This is Node\.js 22\.18\.0\. Install \d+\.\d+ or newer: \S+\n$/)
  }),
)
