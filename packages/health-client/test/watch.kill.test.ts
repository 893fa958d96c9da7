/** Two watches with one store in a process that is killed again and again. */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, readdirSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { expect, it } from "@effect/vitest"
import { Faults, Reply } from "@vigil/sandbox"
import * as Effect from "effect/Effect"
import { sourceArgs } from "./sourceArgs.js"

/** What the handler prints. `before`: the title that the change replaces. */
interface Handled {
  readonly watch: string
  readonly event: string
  readonly tag: string
  readonly before?: string
  readonly title: string
}

/** Runs the watches, and kills them after `wait`, if there is one. Returns what was handled. */
const runWatches = async (origin: string, folder: string, wait?: number) => {
  const script = new URL("watchUntilKilled.ts", import.meta.url).pathname
  const args = [...sourceArgs, script, origin, folder, ...(wait === undefined ? ["last"] : [])]
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] })
  let printed = ""
  child.stdout.on("data", (text) => (printed += String(text)))
  const closed = once(child, "close")
  if (wait !== undefined) {
    await Promise.race([once(child.stdout, "data"), closed])
    await setTimeout(wait)
    child.kill("SIGKILL")
  }
  await closed
  return printed.split("\n").flatMap((line): ReadonlyArray<Handled> => (line ? [JSON.parse(line)] : []))
}

/** A list of a subscription. Each request first changes, removes or adds some of its events. */
const makeWorld = () => {
  const titles = new Map<string, string>()
  const lastUpdateTime = new Date().toISOString()
  let version = 0
  const change = () => {
    // Handling many changes takes longer than a second, so that handled ones are stored meanwhile.
    const count = version === 0 || Math.random() < 0.2 ? 400 : 8
    for (let number = 0; number < count; number += 1) {
      const event = `/events/${Math.floor(Math.random() * 400)}`
      version += 1
      if (Math.random() < 0.1) titles.delete(event)
      else titles.set(event, String(version))
    }
  }
  const page = () =>
    Reply.page(Array.from(titles, ([id, title]) => ({ id, properties: { status: "Active", title, lastUpdateTime } })))
  return { titles, change, page }
}

const kills = Math.min(100, Math.ceil(Number(process.env["PROPERTY_RUNS"] ?? 200) / 100))

it.live(`two watches with one store handle every change in the order of its event, over ${kills} kills`, () =>
  Effect.gen(function* () {
    const folder = yield* Effect.acquireRelease(
      Effect.sync(() => mkdtempSync(join(tmpdir(), "watches-"))),
      (path) => Effect.sync(() => rmSync(path, { recursive: true })),
    )
    const worlds = { s1: makeWorld(), s2: makeWorld() }
    let isChanging = true
    const server = yield* Faults.serve(({ target }) => {
      const world = target.startsWith("/subscriptions/s1/") ? worlds.s1 : worlds.s2
      if (isChanging) world.change()
      return world.page()
    })

    /** The title that each watch has handled last, by event. */
    const known = { s1: new Map<string, string>(), s2: new Map<string, string>() }
    const lastOf = new Map<string, Handled>()
    const check = (handled: ReadonlyArray<Handled>) => {
      for (const one of handled) {
        const key = `${one.watch} ${one.event}`
        const last = lastOf.get(key)
        lastOf.set(key, one)
        // A kill repeats changes.
        if (last !== undefined && last.tag === one.tag && last.title === one.title) continue
        const titles = one.watch === "s1" ? known.s1 : known.s2
        const before = titles.get(one.event)
        if (one.tag === "Appeared") expect(before).toBeUndefined()
        else expect(one.tag === "Disappeared" ? one.title : one.before).toBe(before)
        if (one.tag === "Disappeared") titles.delete(one.event)
        else titles.set(one.event, one.title)
      }
    }

    for (let kill = 1; kill <= kills; kill += 1)
      check(yield* Effect.promise(() => runWatches(server.origin, folder, 2_000 * Math.random())))
    isChanging = false
    check(yield* Effect.promise(() => runWatches(server.origin, folder)))
    for (const id of ["s1", "s2"] as const) expect(known[id]).toEqual(worlds[id].titles)
    expect(lastOf.size).toBeGreaterThan(400)
    // What the kills left is gone: there is one file for each watch.
    expect(readdirSync(folder)).toHaveLength(2)
  }),
)
