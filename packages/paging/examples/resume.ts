import { Checkpoint, Paging } from "@vigil/paging"
import { Console, Effect, Schema, Stream } from "effect"

const letters = ["a", "b", "c", "d", "e", "f", "g"]

// Stands in for a service that is down when its third page is first requested.
let outages = 1
const fetchPage = (offset: number) =>
  offset === 4 && outages-- > 0
    ? Effect.fail("the service is down")
    : Effect.succeed({
        items: letters.slice(offset, offset + 2),
        next: offset + 2 < letters.length ? offset + 2 : undefined,
      })

// Stands in for a file or a database that stores the checkpoint as text.
const Stored = Schema.fromJsonString(Checkpoint.schema(Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))))
let stored: string | undefined

const run = Effect.gen(function* () {
  const from = stored === undefined ? Checkpoint.initial(0) : yield* Schema.decodeEffect(Stored)(stored)
  yield* Stream.runForEach(Paging.pages({ from, fetch: fetchPage }), ({ checkpoint, items }) =>
    Effect.gen(function* () {
      yield* Console.log(items.join(" "))
      // Stored after the page is processed. If that fails, the next run reads the page again.
      stored = yield* Schema.encodeEffect(Stored)(checkpoint)
    }),
  )
})

const program = Effect.gen(function* () {
  yield* Effect.catch(run, (error) => Console.log(error, stored))
  yield* run
  yield* Console.log("complete", stored)
})

await Effect.runPromise(program)
