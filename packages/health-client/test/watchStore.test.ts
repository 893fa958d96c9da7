/** The stores of a watch. */
import { readdirSync, readFileSync, statSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import { describe, expect, it } from "@effect/vitest"
import { WatchStore } from "@vigil/health-client"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"

const folder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "watch-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true })),
)

describe("a file", () => {
  it.live("has the last state and is only for its owner, and nothing else is left in the folder", () =>
    Effect.gen(function* () {
      const path = yield* folder
      const { load, save } = yield* WatchStore.makeFile(join(path, "state"))
      expect(yield* load).toBeUndefined()
      for (const text of ["a", "b"]) {
        yield* save(text)
        expect(yield* load).toBe(text)
      }
      expect(readdirSync(path)).toEqual(["state"])
      expect(statSync(join(path, "state")).mode & 0o777).toBe(0o600)
    }).pipe(Effect.provide(NodeFileSystem.layer)),
  )

  it.live("has the old state or the new one, wherever the process is killed", () =>
    Effect.gen(function* () {
      const path = yield* folder
      const file = join(path, "state")
      const files = yield* FileSystem.FileSystem
      const killed = Effect.die("killed")
      /** A file system that ends before this operation, and cleans up nothing. */
      const endsAt = (operation: string): FileSystem.FileSystem => ({
        ...files,
        remove: () => killed,
        rename: (from, to) => (operation === "rename" ? killed : files.rename(from, to)),
        open: (path, options) =>
          operation === "open"
            ? killed
            : Effect.map(files.open(path, options), (handle) => ({
                ...handle,
                stat: handle.stat,
                sync: operation === "sync" ? killed : handle.sync,
                writeAll: (bytes: Uint8Array) =>
                  operation === "write"
                    ? Effect.andThen(handle.writeAll(bytes.subarray(0, 1)), killed)
                    : handle.writeAll(bytes),
              })),
      })
      for (const [operation, expected] of [
        ["open", "old"],
        ["write", "old"],
        ["sync", "old"],
        ["rename", "old"],
        ["none", "new"],
      ] as const) {
        writeFileSync(file, "old")
        const { save } = yield* Effect.provideService(
          WatchStore.makeFile(file),
          FileSystem.FileSystem,
          endsAt(operation),
        )
        yield* Effect.exit(save("new"))
        expect([operation, readFileSync(file, "utf8")]).toEqual([operation, expected])
      }
    }).pipe(Effect.provide(NodeFileSystem.layer)),
  )

  it.live("in a missing folder fails with the cause", () =>
    Effect.gen(function* () {
      const { save } = yield* WatchStore.makeFile(join(yield* folder, "missing", "state"))
      const error = yield* Effect.flip(save("a"))
      expect(error).toMatchObject({
        _tag: "WatchStoreError",
        operation: "save",
        reason: "unavailable",
        retryable: true,
      })
      expect(error.message).toMatch(/^Could not save the state of the watch: .*missing.*\. Check the store\.$/s)
    }).pipe(Effect.provide(NodeFileSystem.layer)),
  )
})
