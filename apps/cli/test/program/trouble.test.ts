/** Exit codes, messages and files after signals and write errors. */
import type { ChildProcess } from "node:child_process"
import { closeSync, existsSync, openSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import { Reply } from "@vigil/sandbox"
import * as Effect from "effect/Effect"
import { folder } from "../support/folder.js"
import { serveSubscriptions } from "../support/service.js"
import { type RunOptions, vigil } from "../support/subprocess.js"

const event = (name: string) => ({ id: `/events/${name}`, name, properties: { title: name } })

const runs = (line: string, options?: RunOptions) => Effect.promise(() => vigil(line.split(" "), options))

describe("after a signal", () => {
  it.live("SIGTERM keeps the checkpoint after the printed page", () =>
    Effect.gen(function* () {
      const home = yield* folder
      let child: ChildProcess | undefined
      // The second page never arrives.
      const kill = Effect.andThen(
        Effect.sync(() => child?.kill("SIGTERM")),
        Effect.never,
      )
      const pages = [Reply.page([event("A")], "?page=2"), Effect.as(kill, Reply.page([]))]
      const { origin } = yield* serveSubscriptions(pages)
      const result = yield* runs(`events list -s x -o jsonl --checkpoint-file ${home}/checkpoint`, {
        env: { HEALTH_BASE_URL: origin },
        onStart: (started) => (child = started),
      })
      expect(result).toMatchObject({ code: 143, stderr: "" })
      expect(JSON.parse(result.stdout)).toEqual(event("A"))
      expect(readdirSync(home)).toEqual(["checkpoint"])
      expect(JSON.parse(readFileSync(join(home, "checkpoint"), "utf8"))).toMatchObject({ printed: 1 })
    }),
  )

  it.live("SIGTERM cancels a sign-in", () =>
    Effect.gen(function* () {
      const result = yield* runs("auth login --sandbox --no-browser", {
        onFirstOutput: (child) => child.kill("SIGTERM"),
      })
      expect(result).toMatchObject({ code: 143, stdout: "" })
    }),
  )
})

describe("a closed pipe", () => {
  it.live("on stdout ends a list with 141, no message and a complete checkpoint", () =>
    Effect.gen(function* () {
      const home = yield* folder
      const { origin } = yield* serveSubscriptions((_, index) => Reply.page([event(`E${index}`)], `?page=${index + 2}`))
      const result = yield* runs(`events list -s x -o jsonl --checkpoint-file ${home}/checkpoint`, {
        env: { HEALTH_BASE_URL: origin },
        // By then, the first page is printed and its checkpoint written.
        onStart: ({ stdout }) =>
          stdout?.on("data", (chunk) => (String(chunk).includes("E3") ? stdout.destroy() : undefined)),
      })
      expect(result).toMatchObject({ code: 141, stderr: "" })
      expect(readdirSync(home)).toEqual(["checkpoint"])
      const { checkpoint, printed } = JSON.parse(readFileSync(join(home, "checkpoint"), "utf8")) as {
        readonly printed: number
        readonly checkpoint: { readonly pages: number }
      }
      expect(printed).toBe(checkpoint.pages)
    }),
  )

  it.live("on stderr does not stop the command", () =>
    Effect.gen(function* () {
      const result = yield* runs("events list --sandbox -o jsonl", { onStart: (child) => child.stderr?.destroy() })
      expect(result.code).toBe(0)
      expect(result.stdout).toMatch(/\}\n$/)
    }),
  )
})

describe("closed stdin", () => {
  it.live.each([
    ["events list --subscriptions-file - --base-url http://127.0.0.1:1", "stdin"],
    ["apps remove-user fleet/dispatch lin.wu@vigil.example --sandbox", "--yes"],
  ] as const)("fails without waiting: vigil %s", ([line, words]) =>
    Effect.gen(function* () {
      const result = yield* runs(line, { stdin: "closed" })
      expect(result).toEqual({ code: 2, stdout: "", stderr: expect.stringContaining(words) })
    }),
  )
})

/** Outputs without space: a file under `ulimit -f 0`, and `/dev/full`, where it exists. */
const file = { path: "stdout", before: "ulimit -f 0", reason: "EFBIG" }
const device = { path: "/dev/full", before: "", reason: "ENOSPC" }

const printing = [
  ["--version", file],
  ["events watch --sandbox", device],
] as const

describe("a full disk", () => {
  it.live.each(printing.filter(([, { path }]) => path === file.path || existsSync(path)))(
    "vigil %s exits with 74 if stdout is full",
    ([line, { before, path, reason }]) =>
      Effect.gen(function* () {
        const home = yield* folder
        const stdout = yield* Effect.acquireRelease(
          Effect.sync(() => openSync(resolve(home, path), "w")),
          (opened) => Effect.sync(() => closeSync(opened)),
        )
        const result = yield* runs(line, { stdout, ...(before === "" ? {} : { before }) })
        expect(result).toEqual({ code: 74, stdout: "", stderr: expect.stringContaining(reason) })
      }),
  )

  it.live.each([
    ["a report", "events report -s x --force --out"],
    ["a checkpoint", "events list -s x -o csv --checkpoint-file"],
    ["a state", "events watch -s x --state-file"],
  ] as const)("exits with 74 if %s cannot be written, and keeps the existing file", ([, line]) =>
    Effect.gen(function* () {
      const { origin } = yield* serveSubscriptions([Reply.page([event("A")])])
      const home = yield* folder
      const file = join(home, "file")
      writeFileSync(file, "")
      const result = yield* runs(`${line} ${file}`, { before: "ulimit -f 0", env: { HEALTH_BASE_URL: origin } })
      expect(result).toMatchObject({ code: 74, stderr: expect.stringContaining("(EFBIG)") })
      expect(readdirSync(home)).toEqual(["file"])
      expect(readFileSync(file, "utf8")).toBe("")
    }),
  )
})
