/** A setup file of vitest: sets how often each property runs. `PROPERTY_RUNS` overrides the default of 300. */
import * as FastCheck from "effect/FastCheck"

FastCheck.configureGlobal({ numRuns: Number(process.env["PROPERTY_RUNS"] ?? 300) })
