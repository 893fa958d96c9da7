/** How long a list may take that a command can do without. */
import type * as Listing from "@vigil/health-client/Listing"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Defect from "../command/Defect.js"
import * as Failure from "../command/Failure.js"

const limit = Duration.seconds(20)

/** After this many lists in a row that do not end, the others are not read. */
const maxLate = 3

const problem = `There was no complete response within ${Duration.format(limit)}.`

/** Returns a function that runs a list, and returns why it could not be read to its end. */
export const make = () => {
  let late = 0
  return (list: Effect.Effect<void, Listing.FetchError>): Effect.Effect<Result.Result<void, string>> =>
    Effect.suspend(() =>
      late >= maxLate
        ? Effect.succeed(Result.fail(problem))
        : Effect.result(Effect.mapError(Defect.toFailure(list), Failure.plain)).pipe(
            Effect.tap(() => Effect.sync(() => (late = 0))),
            Effect.timeoutOrElse({
              duration: limit,
              orElse: () =>
                Effect.sync(() => {
                  late += 1
                  return Result.fail(problem)
                }),
            }),
          ),
    )
}
