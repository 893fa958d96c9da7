/** The file store of a watch. */
import { spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import { describe, expect, it } from "@effect/vitest"
import { WatchStore } from "@vigil/health-client"
import * as Effect from "effect/Effect"

const folder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "watch-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true })),
)

/** Kills a process that saves states, at a random moment after its first one. Returns the number of the last printed state. */
const killWhileSaving = async (path: string): Promise<number> => {
  const script = new URL("saveStates.ts", import.meta.url).pathname
  const stdio = ["ignore", "pipe", "inherit"] as const
  const child = spawn(process.execPath, ["--conditions=@vigil/source", script, path], { stdio: [...stdio] })
  let printed = ""
  child.stdout.on("data", (text) => (printed += String(text)))
  await once(child.stdout, "data")
  await setTimeout(50 * Math.random())
  child.kill("SIGKILL")
  await once(child, "close")
  return Number(printed.trim().split(" ").at(-1))
}

describe("a file", () => {
  it.live("has the last state and is only for its owner, and nothing else is left in the folder", () =>
    Effect.gen(function* () {
      const path = yield* folder
      const { load, save } = yield* WatchStore.makeFile(join(path, "state"))
      expect(yield* load).toBeUndefined()
      yield* Effect.andThen(save("a"), save("b"))
      expect(yield* load).toBe("b")
      expect(readdirSync(path)).toEqual(["state"])
      expect(statSync(join(path, "state")).mode & 0o777).toBe(0o600)
    }).pipe(Effect.provide(NodeFileSystem.layer)),
  )

  it.live(
    "has the old state or the new one after its process is killed",
    () =>
      Effect.gen(function* () {
        const file = join(yield* folder, "state")
        for (let kill = 1; kill <= 5; kill += 1) {
          const last = yield* Effect.promise(() => killWhileSaving(file))
          const text = readFileSync(file, "utf8")
          expect([last % 10, (last + 1) % 10]).toContain(Number(text[0]))
          expect(text === text.charAt(0).repeat(200_000)).toBe(true)
        }
      }),
    120_000,
  )

  it.live("that is a folder or a named pipe fails at once, and stays; reading a device fails at once", () =>
    Effect.gen(function* () {
      const inside = yield* folder
      const pipe = join(inside, "pipe")
      spawnSync("mkfifo", [pipe])
      const [device, ...others] = yield* Effect.all(["/dev/zero", inside, pipe].map(WatchStore.makeFile))
      const calls = [device?.load, ...others.flatMap(({ load, save }) => [load, save("a")])]
      for (const call of calls) {
        const { message, reason } = yield* Effect.flip(call ?? Effect.void)
        expect([reason, message]).toEqual(["unavailable", expect.stringContaining("is not a regular file")])
      }
      expect([readdirSync(inside), statSync(pipe).isFIFO()]).toEqual([["pipe"], true])
    }).pipe(Effect.provide(NodeFileSystem.layer)),
  )

  it.live("above 256 MB fails before it is read", () =>
    Effect.gen(function* () {
      const path = join(yield* folder, "large")
      writeFileSync(path, "")
      truncateSync(path, 300_000_000)
      const { load } = yield* WatchStore.makeFile(path)
      expect((yield* Effect.flip(load)).message).toContain("is larger than 256000000 bytes")
    }).pipe(Effect.provide(NodeFileSystem.layer)),
  )

  it.live("in a missing folder fails with the cause", () =>
    Effect.gen(function* () {
      const { save } = yield* WatchStore.makeFile(join(yield* folder, "missing", "state"))
      const error = yield* Effect.flip(save("a"))
      expect(error).toMatchObject({ operation: "save", reason: "unavailable", isRetryable: true })
      expect(error.message).toMatch(/^Could not save the state of the watch: .*missing.*\. Check the store\.$/s)
    }).pipe(Effect.provide(NodeFileSystem.layer)),
  )
})
