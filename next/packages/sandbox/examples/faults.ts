import { Faults, Reply } from "@vigil/sandbox"
import { Console, Effect } from "effect"

/** The client under test retries until it succeeds. */
const list = async (url: string): Promise<unknown> => {
  const response = await fetch(url).catch(() => undefined)
  return response?.ok === true ? ((await response.json()) as { value: unknown }).value : list(url)
}

const program = Effect.gen(function* () {
  const server = yield* Faults.serve([
    Reply.json({ code: "TooManyRequests" }, { status: 429, headers: { "retry-after": "0" } }),
    Reply.reset,
    Reply.page([{ name: "A" }]),
  ])
  const value = yield* Effect.promise(() => list(server.origin))
  yield* Console.log(value, "after", (yield* server.requests).length, "requests")
})

await program.pipe(Effect.scoped, Effect.runPromise)
