/** Programs that are run without a shell, within limits. */
import { createServer, type Server } from "node:net"
import { realpathSync } from "node:fs"
import { homedir } from "node:os"
import { describe, expect, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/TestClock"
import * as Program from "../src/auth/Program.js"

const limits: Program.Limits = { time: "1 minute", output: 1000 }

const node = (script: string, ...args: ReadonlyArray<string>) =>
  Program.run([process.execPath, "-e", script, ...args], limits)

const portOf = (server: Server): number => {
  const address = server.address()
  return typeof address === "object" && address !== null ? address.port : 0
}

/** A program that starts another, which never ends. Both are connected to this process while they run. */
const endless = Effect.gen(function* () {
  const [started, ended] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
  let open = 0
  const server = createServer((socket) => {
    open += 1
    if (open === 2) Deferred.unsafeDone(started, Effect.void)
    socket.on("error", () => undefined)
    socket.on("close", () => {
      open -= 1
      if (open === 0) Deferred.unsafeDone(ended, Effect.void)
    })
    socket.resume()
  })
  yield* Effect.acquireRelease(
    Effect.async<void>((resume) => void server.listen(0, "127.0.0.1", () => resume(Effect.void))),
    () => Effect.sync(() => server.close()),
  )
  const connect = `require("node:net").connect(${portOf(server)}, "127.0.0.1")`
  const script = `${connect}; require("node:child_process").spawn(process.execPath, ["-e", ${JSON.stringify(connect)}], { stdio: "ignore" }); console.error("waiting")`
  return { started: Deferred.await(started), ended: Deferred.await(ended), run: node(script) }
})

describe("a program", () => {
  it.live("gets its arguments unchanged, an empty stdin, and the home folder", () =>
    Effect.gen(function* () {
      const args = ["a b", "'\"", "$(id)", "`id`", "*", "%PATH%", "", "\\n", "--", "é\n"]
      const script =
        "console.log(JSON.stringify([process.argv.slice(1), require('node:fs').readFileSync(0, 'utf8'), process.cwd()]))"
      const outcome = yield* node(script, "--", ...args)
      expect(outcome).toMatchObject({ _tag: "Exited", code: 0, signal: null, stderr: "" })
      expect(outcome._tag === "Exited" && JSON.parse(outcome.stdout)).toEqual([args, "", realpathSync(homedir())])
    }),
  )

  it.live("that fails returns its exit code and the end of its stderr", () =>
    Effect.gen(function* () {
      const outcome = yield* node("console.error('x'.repeat(9000) + 'end'); process.exitCode = 7")
      expect(outcome).toMatchObject({ _tag: "Exited", code: 7, stdout: "" })
      expect(outcome._tag === "Exited" && outcome.stderr).toMatch(/^x{8188}end\n$/)
    }),
  )

  it.live("that does not exist or is not executable is not started", () =>
    Effect.gen(function* () {
      expect(yield* Program.run(["vigil-has-no-such-program"], limits)).toEqual({ _tag: "NotStarted", code: "ENOENT" })
      expect(yield* Program.run([import.meta.filename], limits)).toEqual({ _tag: "NotStarted", code: "EACCES" })
      expect(yield* Program.run([`${import.meta.filename}/x`], limits)).toMatchObject({ _tag: "NotStarted" })
    }),
  )

  it.live("that prints without end is stopped", () =>
    Effect.gen(function* () {
      const outcome = yield* node("setInterval(() => process.stdout.write('x'.repeat(9999)), 0)")
      expect(outcome).toEqual({ _tag: "TooLarge" })
    }),
  )

  it.scoped("is killed with its children at the time limit", () =>
    Effect.gen(function* () {
      const { ended, run, started } = yield* endless
      const fiber = yield* Effect.fork(run)
      yield* started
      yield* TestClock.adjust("1 minute")
      expect(yield* Fiber.join(fiber)).toEqual({ _tag: "TimedOut", stderr: expect.any(String) })
      yield* ended
    }),
  )

  it.scoped("is killed with its children if it is interrupted", () =>
    Effect.gen(function* () {
      const { ended, run, started } = yield* endless
      const fiber = yield* Effect.fork(run)
      yield* started
      yield* Fiber.interrupt(fiber)
      yield* ended
    }),
  )
})
