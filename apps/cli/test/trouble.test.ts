/** A process that is ended, or can't write: its exit code, its one sentence, and no half of a file. */
import { closeSync, existsSync, openSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import { Faults, Reply } from "@vigil/sandbox"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { OutputError } from "../src/output/Output.js"
import { folder } from "./folder.js"
import { run } from "./run.js"
import { type Ground, vigil } from "./spawned.js"

const event = (name: string) => ({ id: `/events/${name}`, name, properties: { title: name } })

/** A service whose second page is held for ever; `reached` waits until it is asked for. */
const stalling = Effect.gen(function* () {
  const reached = yield* Deferred.make<void>()
  const held = Effect.zipRight(Deferred.succeed(reached, undefined), Effect.never)
  const { origin } = yield* Faults.serve([Reply.page([event("A")], "?page=2"), Reply.delayUntil(held, Reply.page([]))])
  return { reached: Deferred.await(reached), env: { HEALTH_BASE_URL: origin } }
})

const runs = (line: string, ground?: Ground) => Effect.promise(() => vigil(line.split(" "), ground))

/** Runs a line until the second page is asked for, ends it by a signal, and says how it ended. */
const endedAtPage2 = (line: string, signal: NodeJS.Signals) =>
  Effect.gen(function* () {
    const { env, reached } = yield* stalling
    const begun = yield* Deferred.make<() => void>()
    const end = yield* Effect.fork(
      runs(line, {
        env,
        begun: (child) =>
          Deferred.unsafeDone(
            begun,
            Effect.succeed(() => void child.kill(signal)),
          ),
      }),
    )
    yield* reached
    const kill = yield* Deferred.await(begun)
    kill()
    return yield* Fiber.join(end)
  })

describe("ended by a signal", () => {
  it.scopedLive("a report is not written, on SIGINT", () =>
    Effect.gen(function* () {
      const home = yield* folder
      const ended = yield* endedAtPage2(`events report -s x --out ${home}/report.html`, "SIGINT")
      expect(ended).toEqual({ code: 130, stdout: "", stderr: "" })
      expect(readdirSync(home)).toEqual([])
    }),
  )

  it.scopedLive("a list keeps the place behind the page that was printed, on SIGTERM", () =>
    Effect.gen(function* () {
      const home = yield* folder
      const ended = yield* endedAtPage2(`events list -s x -o jsonl --checkpoint-file ${home}/place`, "SIGTERM")
      expect(ended).toMatchObject({ code: 143, stderr: "" })
      expect(JSON.parse(ended.stdout)).toEqual(event("A"))
      expect(readdirSync(home)).toEqual(["place"])
      expect(JSON.parse(readFileSync(join(home, "place"), "utf8"))).toMatchObject({ printed: 1 })
    }),
  )

  it.scopedLive("a table of a list that is not read prints nothing, on SIGINT", () =>
    Effect.gen(function* () {
      expect(yield* endedAtPage2("events list -s x", "SIGINT")).toEqual({ code: 130, stdout: "", stderr: "" })
    }),
  )

  it.scopedLive("a sign-in that waits is given up, on SIGTERM", () =>
    Effect.gen(function* () {
      const ended = yield* runs("auth login --sandbox --no-browser", { look: (child) => child.kill("SIGTERM") })
      expect(ended).toMatchObject({ code: 143, stdout: "" })
    }),
  )
})

describe("a reader that goes away", () => {
  it.scopedLive.each([["jsonl"], ["table"]] as const)(
    "ends a list of %s with 141 and without a word, and leaves a whole checkpoint",
    ([format]) =>
      Effect.gen(function* () {
        const home = yield* folder
        const { origin } = yield* Faults.serve((_, index) => Reply.page([event(`E${index}`)], `?page=${index + 2}`))
        const ended = yield* runs(`events list -s x -o ${format} --checkpoint-file ${home}/place`, {
          env: { HEALTH_BASE_URL: origin },
          // The first page is certain once the second one is written.
          begun: ({ stdout }) =>
            stdout?.on("data", (chunk) => (String(chunk).includes("E3") ? stdout.destroy() : undefined)),
        })
        expect(ended).toMatchObject({ code: 141, stderr: "" })
        expect(readdirSync(home)).toEqual(["place"])
        const { checkpoint, printed } = JSON.parse(readFileSync(join(home, "place"), "utf8")) as {
          readonly printed: number
          readonly checkpoint: { readonly pages: number }
        }
        expect(printed).toBe(checkpoint.pages)
      }),
  )

  it.live("of stderr is no reason to stop", () =>
    Effect.gen(function* () {
      const ended = yield* runs("events list --sandbox -o jsonl", { begun: (child) => child.stderr?.destroy() })
      expect(ended.code).toBe(0)
      expect(ended.stdout).toMatch(/\}\n$/)
    }),
  )
})

describe("closed stdin", () => {
  it.live.each([
    ["events sweep --base-url http://127.0.0.1:1", "stdin contains no subscription IDs: write one ID per line."],
    [
      "apps remove-user fleet/dispatch lin.wu@vigil.example --sandbox",
      "Nothing was sent: confirmation requires a terminal. lin.wu@vigil.example will be removed from fleet/dispatch and lose access to it. Pass --yes to confirm, or --dry-run to print the request.",
    ],
  ] as const)("is told, and not waited for: vigil %s", ([line, words]) =>
    Effect.gen(function* () {
      const ended = yield* runs(line, { stdin: "closed" })
      expect(ended).toEqual({ code: 2, stdout: "", stderr: `vigil: ${words}\n` })
    }),
  )
})

/** Where nothing fits: a file of a process that may write none, and the device that is always full, where present. */
const file = { path: "stdout", before: "ulimit -f 0", reason: "EFBIG" }
const device = { path: "/dev/full", before: "", reason: "ENOSPC" }

const printing = [
  ["apps whoami --sandbox", file],
  ["--version", file],
  ...["events list --sandbox", "sandbox", "--help"].map((line) => [line, device] as const),
] as const

describe("a full disk", () => {
  it.live.each([["events timeline --sandbox"], ["events watch --sandbox"], ["completions zsh"]] as const)(
    "is told with 74 by vigil %s",
    ([line]) =>
      Effect.gen(function* () {
        const { code, notes } = yield* run(line, { watch: () => new OutputError({ code: "ENOSPC" }) })
        expect(code).toBe(74)
        expect(notes.at(-1)).toBe("vigil: The output could not be written (ENOSPC). Check where it goes.")
      }),
  )

  it.scopedLive.each(printing.filter(([, { path }]) => path === file.path || existsSync(path)))(
    "is told with 74 when vigil %s writes to it",
    ([line, { before, path, reason }]) =>
      Effect.gen(function* () {
        const home = yield* folder
        const stdout = yield* Effect.acquireRelease(
          Effect.sync(() => openSync(resolve(home, path), "w")),
          (opened) => Effect.sync(() => closeSync(opened)),
        )
        const ended = yield* runs(line, { stdout, ...(before === "" ? {} : { before }) })
        expect(ended).toEqual({
          code: 74,
          stdout: "",
          stderr: `vigil: The output could not be written (${reason}). Check where it goes.\n`,
        })
      }),
  )

  it.scopedLive.each([
    ["a report", "events report --sandbox --force --out"],
    ["a checkpoint", "events list --sandbox -o csv --checkpoint-file"],
    ["a state", "events watch --sandbox --state-file"],
  ] as const)("is told with 74 when %s is written to it, and what was there stays", ([, line]) =>
    Effect.gen(function* () {
      const home = yield* folder
      const file = join(home, "file")
      const full = () => runs(`${line} ${file}`, { before: "ulimit -f 0" })
      const told = {
        code: 74,
        stderr: `vigil: The file ${JSON.stringify(file)} could not be written (EFBIG). Check the folder, its permissions and the free space.\n`,
      }
      expect(yield* full()).toMatchObject(told)
      expect(readdirSync(home)).toEqual([])
      writeFileSync(file, "")
      expect(yield* full()).toMatchObject(told)
      expect(readdirSync(home)).toEqual(["file"])
      expect(readFileSync(file, "utf8")).toBe("")
    }),
  )

  it.scopedLive("is told with 74 when a token is to be kept, and nothing of it is", () =>
    Effect.gen(function* () {
      const home = yield* folder
      const ended = yield* runs("auth login --service apps --token-stdin --base-url http://127.0.0.1:1", {
        before: "ulimit -f 0",
        stdin: { text: "canary\n" },
        env: { HOME: home },
      })
      expect(ended).toMatchObject({ code: 74, stdout: "", stderr: expect.stringContaining("(EFBIG)") })
      expect(ended.stderr).not.toContain("canary")
      const left = readdirSync(home, { recursive: true, withFileTypes: true }).filter((one) => !one.isDirectory())
      expect(left).toEqual([])
    }),
  )
})
