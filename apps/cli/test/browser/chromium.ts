/** A real browser for tests: the machine's own Chromium, driven by playwright-core. */
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { type Browser, chromium } from "playwright-core"

/** Set by vitest.config.mjs. */
const executablePath = process.env["CHROMIUM_PATH"] ?? ""

/** As root, as in a container, Chromium starts without its sandbox only; and `/dev/shm` is small there. */
const args = ["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu"]

/** A browser of its own, closed with the scope. */
export const browser: Effect.Effect<Browser, never, Scope.Scope> = Effect.acquireRelease(
  Effect.promise(() => chromium.launch({ executablePath, args })),
  (opened) => Effect.promise(() => opened.close()),
)
