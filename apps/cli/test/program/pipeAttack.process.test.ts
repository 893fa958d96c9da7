/** Pipe readers that stop early, such as `head`: the next run prints the lines that they did not read. */
import { execFileSync, spawn } from "node:child_process"
import { closeSync, openSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "@effect/vitest"
import { Reply } from "@vigil/sandbox"
import * as Effect from "effect/Effect"
import { folder } from "../support/folder.js"
import { serveSubscriptions } from "../support/service.js"
import { vigil } from "../support/subprocess.js"

/** The event names in the JSON lines of a watch. */
const namesIn = (text: string): ReadonlyArray<string> => text.match(/event-\d+/g) ?? []

/** Starts `head -n`, and opens the pipe that it reads. `text` resolves to its output when it ends. */
const readLines = (path: string, count: number) => {
  execFileSync("mkfifo", [path])
  const reader = spawn("head", ["-n", String(count), path], { stdio: ["ignore", "pipe", "inherit"] })
  const text = new Promise<string>((resolve) => {
    let printed = ""
    reader.stdout.on("data", (chunk) => (printed += String(chunk)))
    reader.on("close", () => resolve(printed))
  })
  return { fd: openSync(path, "w"), text }
}

/** Larger than the buffer of a pipe. */
const events = Array.from({ length: 300 }, (_, index) => ({
  id: `/events/event-${index}`,
  name: "",
  properties: { title: "x".repeat(4_000), lastUpdateTime: new Date().toISOString() },
}))

it.live("events watch loses none of 300 changes if the reader of its pipe stops after 100", () =>
  Effect.gen(function* () {
    const home = yield* folder
    const { origin } = yield* serveSubscriptions(() => Reply.page(events))
    const flags = `--state-file ${join(home, "state")} -s x --base-url ${origin} -o jsonl`
    const args = ["events", "watch", "--once", ...flags.split(" ")]
    const { fd, text } = readLines(join(home, "pipe"), 100)
    const first = yield* Effect.promise(() => vigil(args, { stdout: fd, onStart: () => closeSync(fd) }))
    const read = namesIn(yield* Effect.promise(() => text))
    const second = yield* Effect.promise(() => vigil(args))
    expect([first.code, second.code, read.length]).toEqual([141, 0, 100])
    expect(new Set([...read, ...namesIn(second.stdout)]).size).toBe(300)
  }),
)
