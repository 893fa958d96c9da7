import { Faults } from "@vigil/sandbox"
import { Console, Effect } from "effect"

/** The client under test sends its token to every link. */
const list = async (url: string, token: string): Promise<void> => {
  const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } })
  const page = (await response.json()) as { nextLink?: string }
  if (page.nextLink !== undefined) await list(page.nextLink, token)
}

const program = Effect.gen(function* () {
  const { foreign, scenario, server } = yield* Faults.start("next-link-other-port")
  yield* Effect.promise(() => list(server.origin, "secret-token"))
  yield* Console.log(scenario.description, "The token leaked:", (yield* foreign.bytes).includes("secret-token"))
})

await program.pipe(Effect.scoped, Effect.runPromise)
