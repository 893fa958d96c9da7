/** A setup file of vitest: sets how often each property runs. `PROPERTY_RUNS` overrides the default of 300. */
import * as FastCheck from "effect/FastCheck"

// vitest stops a worker that is busy for a minute.
FastCheck.configureGlobal({ numRuns: Number(process.env["PROPERTY_RUNS"] ?? 300), interruptAfterTimeLimit: 30_000 })
