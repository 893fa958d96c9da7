/** Runners in their own processes, so that tests can send them signals. */
import { type ChildProcess, spawn } from "node:child_process"
import { fileURLToPath } from "node:url"
import type { Fleet } from "@vigil/health-fleet"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import type { Receiver } from "./receiver.js"

const script = fileURLToPath(new URL("runner.mjs", import.meta.url))

/** The settings that all runners of a test share. Options are sent as JSON. */
export interface Settings {
  readonly baseUrl: string
  readonly token: Redacted.Redacted
  readonly url: Redacted.Redacted
  readonly sinks: ReadonlyArray<Pick<Receiver, "name" | "secret" | "url">>
  readonly options: Pick<Fleet.Options, "concurrency" | "lease" | "maxPeriod" | "minPeriod">
}

export interface Process {
  readonly name: string
  readonly signal: (signal: NodeJS.Signals) => Effect.Effect<void>
  /** The exit code, or the signal that ended it. */
  readonly ended: Effect.Effect<number | string>
  /** The last output. */
  readonly output: Effect.Effect<string>
}

const kill = (child: ChildProcess) =>
  Effect.sync(() => {
    child.kill("SIGKILL")
  })

/** Starts a runner, which is killed when the scope closes. */
export const startRunner = ({ options, sinks, token, url, ...settings }: Settings, name: string) =>
  Effect.gen(function* () {
    const value = {
      ...settings,
      connections: 4,
      sinks: sinks.map(({ name, secret, url }) => ({ name, secret, url })),
      options: { ...options, name },
      token: Redacted.value(token),
      url: Redacted.value(url),
    }
    const child = yield* Effect.acquireRelease(
      // The processes of vitest import TypeScript; this one imports the built packages.
      Effect.sync(() =>
        spawn(process.execPath, [script, JSON.stringify(value)], { stdio: ["ignore", "pipe", "pipe"] }),
      ),
      kill,
    )
    const exit = yield* Deferred.make<number | string>()
    child.on("exit", (code, signal) => Deferred.doneUnsafe(exit, Effect.succeed(code ?? signal ?? "unknown")))
    let output = ""
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (data) => {
        output = (output + String(data)).slice(-4_000)
      })
    const started: Process = {
      name,
      signal: (signal) =>
        Effect.sync(() => {
          child.kill(signal)
        }),
      ended: Deferred.await(exit),
      output: Effect.sync(() => output),
    }
    return started
  })
