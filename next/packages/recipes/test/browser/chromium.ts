/** Starts the installed Chromium for tests with playwright-core. */
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { type Browser, chromium } from "playwright-core"

/** Set by vitest.config.mjs. */
const executablePath = process.env["CHROMIUM_PATH"] ?? ""

/** In containers, Chromium runs as root, which needs `--no-sandbox`, and `/dev/shm` is small. */
const args = ["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu"]

/** A new browser, closed with the scope. */
export const browser: Effect.Effect<Browser, never, Scope.Scope> = Effect.acquireRelease(
  Effect.promise(() => chromium.launch({ executablePath, args })),
  (browser) => Effect.promise(() => browser.close()),
)
