/** The folder of files of watches. */
import { spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import { describe, expect, it } from "@effect/vitest"
import { WatchStore } from "@vigil/health-client"
import { sourceArgs } from "./sourceArgs.js"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Layer from "effect/Layer"
import * as KeyValueStore from "effect/persistence/KeyValueStore"

const folder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "watch-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true })),
)

/** Kills a process that saves states, at a random moment after its first one. Returns the number of the last printed state. */
const killWhileSaving = async (path: string): Promise<number> => {
  const script = new URL("saveStates.ts", import.meta.url).pathname
  const stdio = ["ignore", "pipe", "inherit"] as const
  const child = spawn(process.execPath, [...sourceArgs, script, path], { stdio: [...stdio] })
  let printed = ""
  child.stdout.on("data", (text) => (printed += String(text)))
  await once(child.stdout, "data")
  await setTimeout(50 * Math.random())
  child.kill("SIGKILL")
  await once(child, "close")
  return Number(printed.trim().split(" ").at(-1))
}

const kills = Math.min(100, Math.ceil(Number(process.env["PROPERTY_RUNS"] ?? 200) / 100))

const open = (path: string) =>
  Effect.provide(
    KeyValueStore.KeyValueStore,
    Layer.fresh(WatchStore.layerFolder(path).pipe(Layer.provide(NodeFileSystem.layer))),
  )

describe("a folder", () => {
  it.live("has a file per key, which is only for its owner, and nothing else", () =>
    Effect.gen(function* () {
      const path = join(yield* folder, "new", "states")
      const store = yield* open(path)
      const keys = ["watch/s1/0a", "watch/s1/0a/handled", "", "..", "a.part", "%/\u0000ü"]
      for (const key of keys) {
        expect(yield* store.get(key)).toBeUndefined()
        yield* Effect.andThen(store.set(key, "a"), store.set(key, key))
      }
      expect((yield* store.keys).toSorted()).toEqual(keys.toSorted())
      for (const key of keys) expect(yield* store.get(key)).toBe(key)
      expect(readdirSync(path)).toContain("watch%2Fs1%2F0a.json")
      for (const name of readdirSync(path)) expect(statSync(join(path, name)).mode & 0o777).toBe(0o600)
      yield* Effect.andThen(store.remove("a.part"), store.remove("missing"))
      expect(yield* store.size).toBe(keys.length - 1)
      yield* store.clear
      expect(readdirSync(path)).toEqual([])
    }),
  )

  it.live("has the old value or the new one after its process is killed, and the next start removes the rest", () =>
    Effect.gen(function* () {
      const path = yield* folder
      for (let kill = 1; kill <= kills; kill += 1) {
        const last = yield* Effect.promise(() => killWhileSaving(path))
        const text = readFileSync(join(path, "state.json"), "utf8")
        expect([last % 10, (last + 1) % 10]).toContain(Number(text[0]))
        expect(text === text.charAt(0).repeat(200_000)).toBe(true)
      }
      writeFileSync(join(path, "state.json.0.part"), "half")
      yield* open(path)
      expect(readdirSync(path)).toEqual(["state.json"])
    }),
  )

  it.live("writes again if a process that starts with it has removed the temporary file", () =>
    Effect.gen(function* () {
      const path = yield* folder
      const files = yield* FileSystem.FileSystem
      let starts = 0
      const rename: typeof files.rename = (from, to) =>
        Effect.andThen(starts++ === 0 ? open(path) : Effect.void, files.rename(from, to))
      const store = yield* Effect.provide(KeyValueStore.KeyValueStore, WatchStore.layerFolder(path)).pipe(
        Effect.provideService(FileSystem.FileSystem, { ...files, rename }),
      )
      yield* store.set("a", "1")
      expect([starts, readdirSync(path)]).toEqual([2, ["a.json"]])
    }).pipe(Effect.provide(NodeFileSystem.layer)),
  )

  it.live("fails at once, and keeps what is there, for a folder, a named pipe or a file above 256 MB", () =>
    Effect.gen(function* () {
      const path = yield* folder
      mkdirSync(join(path, "folder.json"))
      spawnSync("mkfifo", [join(path, "pipe.json")])
      writeFileSync(join(path, "large.json"), "")
      truncateSync(join(path, "large.json"), 300_000_000)
      const store = yield* open(path)
      for (const [key, problem] of [
        ["folder", "is not a regular file"],
        ["pipe", "is not a regular file"],
        ["large", "is larger than 256000000 bytes"],
      ] as const)
        for (const call of [store.get(key), store.set(key, "a")])
          expect(yield* Effect.flip(call)).toMatchObject({ key, message: expect.stringContaining(problem) })
      expect(readdirSync(path)).toEqual(["folder.json", "large.json", "pipe.json"])
    }),
  )

  it.live("keeps files of other programs, and refuses keys that no file name can have", () =>
    Effect.gen(function* () {
      const path = yield* folder
      const others = ["100%.json", "a b.json", "notes.txt"]
      for (const name of others) writeFileSync(join(path, name), "")
      const store = yield* open(path)
      yield* store.set("a", "1")
      expect([yield* store.keys, yield* store.size]).toEqual([["a"], 1])
      yield* store.clear
      expect(readdirSync(path).toSorted()).toEqual(others)
      for (const call of [store.get("\ud800"), store.set("\ud800", "a"), store.remove("\ud800")])
        expect((yield* Effect.flip(call)).message).toContain("unpaired surrogate")
    }),
  )

  it.live("that is a file fails when the layer is built", () =>
    Effect.gen(function* () {
      const path = join(yield* folder, "file")
      writeFileSync(path, "")
      expect((yield* Effect.flip(open(path))).message).toContain("file")
    }),
  )
})

it("the error of a store names the cause and what to do", () => {
  const cause = new KeyValueStore.KeyValueStoreError({ method: "set", message: "the disk is full" })
  const error = new WatchStore.WatchStoreError({ operation: "save", reason: "unavailable", cause })
  expect(error.isRetryable).toBe(true)
  expect(error.message).toBe("Could not save the state of the watch: the disk is full. Check the store.")
})
