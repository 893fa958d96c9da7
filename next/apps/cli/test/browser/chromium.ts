/** A real browser for tests: the installed Chromium, controlled by playwright-core. */
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { type Browser, chromium } from "playwright-core"

/** Set by vitest.config.mjs. */
const executablePath = process.env["CHROMIUM_PATH"] ?? ""

/** In containers, Chromium runs as root, which requires `--no-sandbox`, and `/dev/shm` is too small. */
const args = ["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu"]

/** Starts a browser. It closes with the scope. */
export const browser: Effect.Effect<Browser, never, Scope.Scope> = Effect.acquireRelease(
  Effect.promise(() => chromium.launch({ executablePath, args })),
  (opened) => Effect.promise(() => opened.close()),
)
