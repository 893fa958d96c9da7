/** A reader behind a pipe that stops early, as `head` does: what it did not read is printed by the next run. */
import { execFileSync, spawn } from "node:child_process"
import { closeSync, openSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import { Faults, Reply } from "@vigil/sandbox"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import { folder } from "./folder.js"
import { vigil } from "./spawned.js"

/** The names of the events of JSON lines: of a list, or of a watch. */
const namesIn = (text: string): ReadonlyArray<string> => text.match(/event-\d+/g) ?? []

/** Starts `head -n`, and opens the pipe that it reads. `text` is what it printed when it ended. */
const readLines = (home: string, count: number, onEnd: Effect.Effect<unknown>) =>
  Effect.sync(() => {
    const path = join(home, "pipe")
    execFileSync("mkfifo", [path])
    const reader = spawn("head", ["-n", String(count), path], { stdio: ["ignore", "pipe", "inherit"] })
    const text = new Promise<string>((resolve) => {
      let printed = ""
      reader.stdout.on("data", (chunk) => {
        printed += String(chunk)
      })
      reader.on("close", () => {
        Effect.runFork(onEnd)
        resolve(printed)
      })
    })
    return { fd: openSync(path, "w"), text }
  })

/** So many events, each with a title of so many characters. */
const events = (from: number, count: number, length: number) =>
  Array.from({ length: count }, (_, index) => ({
    id: `/events/event-${from + index}`,
    name: "",
    properties: { title: "x".repeat(length), lastUpdateTime: new Date().toISOString() },
  }))

/** Runs a command whose reader stops after some lines, and runs it again with another reader. */
const runTwice = (pages: ReadonlyArray<ReadonlyArray<unknown>>, count: number, args: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const home = yield* folder
    const gone = yield* Deferred.make<void>()
    // Only the first page is sent while the first reader is there.
    const { origin } = yield* Faults.serve(({ target }) => {
      const page = Number(new URL(target, "http://x").searchParams.get("page") ?? 0)
      const next = page + 1 < pages.length ? `?api-version=2025-05-01&page=${page + 1}` : null
      const reply = Reply.page(pages[page] ?? [], next)
      return page === 0 ? reply : Reply.held(Deferred.await(gone), reply)
    })
    const line = [...args, join(home, "state"), "-s", "x", "--base-url", origin, "--output", "jsonl"]
    const env = { HEALTH_ACCESS_TOKEN: "x" }
    const { fd, text } = yield* readLines(home, count, Deferred.succeed(gone, undefined))
    const first = yield* Effect.promise(() => vigil(line, { env, stdout: fd, begun: () => closeSync(fd) }))
    const read = namesIn(yield* Effect.promise(() => text))
    const second = yield* Effect.promise(() => vigil(line, { env }))
    const all = pages.flat().length
    const printed = new Set([...read, ...namesIn(second.stdout)])
    return { codes: [first.code, second.code], read: read.length, lost: all - printed.size }
  })

describe("a command into a pipe whose reader stops early", () => {
  it.scopedLive.each([
    ["events watch", ["events", "watch", "--once", "--state-file"]],
    ["events list", ["events", "list", "--checkpoint-file"]],
  ] as const)("%s prints in the next run what the pipe still held", ([, args]) =>
    Effect.gen(function* () {
      const pages = [events(0, 20, 10), events(20, 20, 10)]
      expect(yield* runTwice(pages, 3, args)).toEqual({ codes: [141, 0], read: 3, lost: 0 })
    }),
  )

  it.scopedLive.each([[1], [10], [100]] as const)(
    "events watch loses none of 300 changes after %i lines were read",
    ([count]) =>
      Effect.gen(function* () {
        // Longer than a pipe holds.
        const pages = [events(0, 300, 4_000)]
        const args = ["events", "watch", "--once", "--state-file"]
        expect(yield* runTwice(pages, count, args)).toEqual({ codes: [141, 0], read: count, lost: 0 })
      }),
  )
})
