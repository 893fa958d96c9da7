/** A real browser for tests: the installed Chromium, controlled by playwright-core. */
import { afterAll } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { type Browser, type BrowserContextOptions, chromium } from "playwright-core"

/** Set by vitest.config.mjs. */
const executablePath = process.env["CHROMIUM_PATH"] ?? ""

/** In containers, Chromium runs as root, which requires `--no-sandbox`, and `/dev/shm` is too small. */
const args = ["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu"]

/** In milliseconds. Longer than an action takes on a busy machine, and shorter than the time limit of a test, so that a failure names the action. */
const timeout = 100_000

let browser: Promise<Browser> | undefined

afterAll(async () => {
  await (await browser)?.close()
  browser = undefined
})

/** Opens a tab that shares no state with others, in one browser for the tests of a file. It closes with the scope. */
export const newTab = (options?: BrowserContextOptions) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      browser ??= chromium.launch({ executablePath, args, timeout })
      const tab = await (await browser).newPage(options)
      tab.setDefaultTimeout(timeout)
      return tab
    }),
    (tab) => Effect.promise(() => tab.context().close()),
  )
