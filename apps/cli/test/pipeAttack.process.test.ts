/** Pipe readers that stop early, such as `head`: the next run prints the lines that they did not read. */
import { execFileSync, spawn } from "node:child_process"
import { closeSync, openSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import { Faults, Reply } from "@vigil/sandbox"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import { folder } from "./folder.js"
import { vigil } from "./subprocess.js"

/** The event names in the JSON lines of a list or a watch. */
const namesIn = (text: string): ReadonlyArray<string> => text.match(/event-\d+/g) ?? []

/** Starts `head -n`, and opens the pipe that it reads. `text` resolves to its output when it ends. */
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

/** Events with long titles. */
const events = (from: number, count: number, length: number) =>
  Array.from({ length: count }, (_, index) => ({
    id: `/events/event-${from + index}`,
    name: "",
    properties: { title: "x".repeat(length), lastUpdateTime: new Date().toISOString() },
  }))

/**
 * Runs a command whose reader stops after some lines, and runs it again with another reader. The service sends only
 * the first response before the reader stops.
 */
const runTwice = (
  reply: (target: URL, index: number) => Reply.Reply,
  count: number,
  firstArgs: ReadonlyArray<string>,
  secondArgs = firstArgs,
) =>
  Effect.gen(function* () {
    const home = yield* folder
    const gone = yield* Deferred.make<void>()
    const { origin } = yield* Faults.serve(({ target }, index) => {
      const one = reply(new URL(target, "http://x"), index)
      return index === 0 ? one : Reply.delayUntil(Deferred.await(gone), one)
    })
    const argsOf = (args: ReadonlyArray<string>) => [
      ...args,
      join(home, "state"),
      "-s",
      "x",
      "--base-url",
      origin,
      "--output",
      "jsonl",
    ]
    const env = { HEALTH_ACCESS_TOKEN: "x" }
    const { fd, text } = yield* readLines(home, count, Deferred.succeed(gone, undefined))
    const first = yield* Effect.promise(() =>
      vigil(argsOf(firstArgs), { env, stdout: fd, onStart: () => closeSync(fd) }),
    )
    const read = namesIn(yield* Effect.promise(() => text))
    const second = yield* Effect.promise(() => vigil(argsOf(secondArgs), { env }))
    const printed = new Set([...read, ...namesIn(second.stdout)])
    return { codes: [first.code, second.code], read: read.length, printed: printed.size }
  })

const watchOnce = ["events", "watch", "--once", "--state-file"]

/** Each test starts several processes. */
const timeout = 60_000

describe("after the reader of a pipe stops early,", () => {
  it.scopedLive(
    "events list prints the unread lines in the next run",
    () =>
      Effect.gen(function* () {
        const reply = ({ searchParams }: URL) =>
          searchParams.get("page") === "1"
            ? Reply.page(events(20, 20, 10))
            : Reply.page(events(0, 20, 10), "?api-version=2025-05-01&page=1")
        const args = ["events", "list", "--checkpoint-file"]
        expect(yield* runTwice(reply, 3, args)).toEqual({ codes: [141, 0], read: 3, printed: 40 })
      }),
    timeout,
  )

  it.scopedLive(
    "events watch prints the unread changes in the next run",
    () =>
      Effect.gen(function* () {
        // A poll prints nothing until it has read the whole list, so the reader stops between two polls.
        const reply = (_: URL, index: number) => Reply.page(events(0, index === 0 ? 20 : 40, 10))
        const args = ["events", "watch", "--every", "1s", "--state-file"]
        expect(yield* runTwice(reply, 3, args, watchOnce)).toEqual({ codes: [141, 0], read: 3, printed: 40 })
      }),
    timeout,
  )

  it.scopedLive(
    "events watch loses none of 300 changes",
    () =>
      Effect.gen(function* () {
        // Larger than the buffer of a pipe.
        const all = Reply.page(events(0, 300, 4_000))
        expect(yield* runTwice(() => all, 100, watchOnce)).toEqual({ codes: [141, 0], read: 100, printed: 300 })
      }),
    timeout,
  )
})
