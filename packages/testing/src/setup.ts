/** A setup file of vitest, run before each test file. */
import { setImmediate } from "node:timers/promises"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Context from "effect/Context"
import * as FastCheck from "fast-check"
import { afterAll, afterEach, vi } from "vitest"

// How often each property runs. vitest gives up on a worker that is busy for a minute.
FastCheck.configureGlobal({ numRuns: Number(process.env["PROPERTY_RUNS"] ?? 100), interruptAfterTimeLimit: 30_000 })

// Yields to the event loop, so that a worker with only synchronous tests responds to vitest.
afterEach(() => setImmediate())

// The test files of a worker share the environment.
afterAll(() => {
  vi.unstubAllEnvs()
  vi.unstubAllGlobals()
})

/** The variables that may belong to a path, which are far fewer than all. */
const variablesOf = ([first = ""]: ConfigProvider.Path) =>
  Object.fromEntries(
    Object.keys(process.env)
      .filter((name) => name.startsWith(String(first)))
      .map((name) => [name, process.env[name] ?? ""]),
  )

// Effect copies the environment once per process. Tests change it.
Object.assign(Context.get(Context.empty(), ConfigProvider.ConfigProvider), {
  load: (path: ConfigProvider.Path) => ConfigProvider.fromEnv({ env: variablesOf(path) }).load(path),
})
