/** Runners of an earlier version are alive, so that the tables cannot be changed. `FleetError` describes it. */
import * as Data from "effect/Data"

export class EarlierRunners extends Data.TaggedError("EarlierRunners")<{ readonly names: ReadonlyArray<string> }> {}
