/** The files that commands write: temporary files, links and modes. */
import { spawnSync } from "node:child_process"
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs"
import { basename, join } from "node:path"
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import { describe, expect, it } from "@effect/vitest"
import { Reply } from "@vigil/sandbox"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import { afterEach, vi } from "vitest"
import * as AtomicFile from "../../src/files/AtomicFile.js"
import { folder } from "../support/folder.js"
import { run } from "../support/run.js"
import { serveSubscriptions } from "../support/service.js"
import { makeWorkspace } from "../support/workspace.js"

afterEach(() => {
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
})

/** The temporary file of a run that is killed right before the rename. */
const leftover = (file: string) =>
  Effect.gen(function* () {
    const written = yield* Deferred.make<string>()
    const files = yield* FileSystem.FileSystem
    const stuck = { ...files, rename: (from: string) => Effect.andThen(Deferred.succeed(written, from), Effect.never) }
    yield* Effect.forkChild(Effect.provideService(AtomicFile.write(file, "half"), FileSystem.FileSystem, stuck))
    return yield* Deferred.await(written)
  }).pipe(Effect.provide(NodeFileSystem.layer))

/** Copies the temporary file to the name that a process with this ID would use. */
const copyFor = (pid: number, file: string, part: string) => {
  const name = part.replace(`.${process.pid}.`, `.${pid}.`)
  expect(name).not.toBe(part)
  expect(basename(name).startsWith(`${basename(file)}.`)).toBe(true)
  writeFileSync(name, readFileSync(part))
  return name
}

/** The ID of a process that has ended. */
const dead = () => spawnSync(process.execPath, ["--version"]).pid

const served = Effect.map(serveSubscriptions([Reply.page([{ id: "/events/A", name: "A" }])]), ({ origin }) => origin)

describe("auth login", () => {
  it.live("removes the temporary file of a killed run, which contains a token", () =>
    Effect.gen(function* () {
      const workspace = yield* makeWorkspace
      vi.stubEnv("HEALTH_BASE_URL", "https://service.example")
      const file = workspace.tokenFile("health")
      workspace.write(file, "")
      const killed = copyFor(dead(), file, yield* leftover(file))
      expect(yield* run("auth login --token-stdin", { input: ["token"] })).toMatchObject({ code: 0 })
      expect(existsSync(killed)).toBe(false)
      expect(statSync(file).mode & 0o777).toBe(0o600)
    }),
  )
})

describe("a state file", () => {
  const watch = (file: string) =>
    Effect.flatMap(served, (origin) => run(`events watch -s x --once --base-url ${origin} --state-file ${file}`))

  it.live("replaces the temporary file of a killed run, and no other file", () =>
    Effect.gen(function* () {
      const file = join(yield* folder, "kept")
      const part = yield* leftover(file)
      const killed = copyFor(dead(), file, part)
      const running = copyFor(process.ppid, file, part)
      const others = [`${file}.part`, `${file}.1.part`, `${file}x.${dead()}.0.part`, `${killed}.txt`]
      for (const other of others) writeFileSync(other, "")
      yield* watch(file)
      expect(existsSync(killed)).toBe(false)
      expect([running, ...others].filter((one) => !existsSync(one))).toEqual([])
    }),
  )

  it.live("is created with mode 600, and keeps an existing mode", () =>
    Effect.gen(function* () {
      const home = yield* folder
      yield* watch(join(home, "new"))
      expect(statSync(join(home, "new")).mode & 0o777).toBe(0o600)
      writeFileSync(join(home, "old"), "", { mode: 0o640 })
      yield* watch(join(home, "old"))
      expect(statSync(join(home, "old")).mode & 0o777).toBe(0o640)
    }),
  )

  it.live("that is a dangling link to another link, in a folder that is a link, is created", () =>
    Effect.gen(function* () {
      const home = yield* folder
      mkdirSync(join(home, "target"))
      mkdirSync(join(home, "deep", "er"), { recursive: true })
      symlinkSync(join(home, "deep", "er"), join(home, "alias"))
      symlinkSync("alias/second", join(home, "link"))
      symlinkSync("../../target/state", join(home, "deep", "er", "second"))
      expect(yield* watch(join(home, "link"))).toMatchObject({ code: 0 })
      expect(readlinkSync(join(home, "link"))).toBe("alias/second")
      expect(readFileSync(join(home, "target", "state"), "utf8")).toContain("events")
      expect(readdirSync(join(home, "target"))).toEqual(["state"])
    }),
  )
})
