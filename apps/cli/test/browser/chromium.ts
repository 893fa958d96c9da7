/** A real browser for tests: the machine's own Chromium, driven by playwright-core. */
import { existsSync } from "node:fs"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { type Browser, chromium } from "playwright-core"

/** Where Chromium is, if nobody says otherwise (CHROMIUM_PATH). */
const places = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/usr/bin/google-chrome-stable",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
]

const find = (): string => {
  const said = process.env["CHROMIUM_PATH"]
  const path = (said === undefined ? places : [said]).find((place) => existsSync(place))
  if (path !== undefined) return path
  throw new Error(
    "The browser tests need Chromium, and there is none: install it (apt-get install chromium), or set CHROMIUM_PATH to where it is.",
  )
}

/** As root, as in a container, Chromium starts without its sandbox only; and `/dev/shm` is small there. */
const args = ["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu"]

/** A browser of its own, closed with the scope. */
export const browser: Effect.Effect<Browser, never, Scope.Scope> = Effect.acquireRelease(
  Effect.promise(() => chromium.launch({ executablePath: find(), args })),
  (opened) => Effect.promise(() => opened.close()),
)
