/** How the tests in a real browser run: they are told where it is. */
import { fileURLToPath } from "node:url"
import { mergeConfig } from "vitest/config"
import { apart } from "./vitest.apart.mjs"

const setupFiles = [fileURLToPath(new URL("scripts/chromium.mjs", import.meta.url))]

export default mergeConfig(apart("browser"), { test: { setupFiles } })
