/** Runs turbo by this repository's own pnpm, without telemetry; arguments are passed on. */
import { pnpm } from "./workspace.mjs"

process.exit(pnpm(["exec", "turbo", ...process.argv.slice(2)], { quiet: false }).status)
