import { Sandbox } from "@vigil/sandbox"
import { Console, Effect, Redacted } from "effect"

const program = Effect.gen(function* () {
  const { baseUrl, currentAccounts, tokens } = yield* Sandbox.Sandbox
  const full = yield* tokens.create({ kind: "app", access: "full", app: "ada/atlas" })
  const readOnly = yield* tokens.create({ kind: "user", access: "read-only" })
  const { users } = yield* currentAccounts
  const email = users.find(({ name }) => name === "ops-bot")?.email ?? ""
  const url = `${baseUrl}/v0.1/apps/ada/atlas/users/${encodeURIComponent(email)}`
  const remove = (token: Redacted.Redacted) =>
    Effect.promise(async () => {
      const headers = { "x-api-token": Redacted.value(token) }
      return (await fetch(url, { method: "DELETE", headers })).status
    })

  yield* Console.log("Read-only:", yield* remove(readOnly.value))
  yield* Console.log("Full access:", yield* remove(full.value))
  yield* Console.log("Again:", yield* remove(full.value))
  yield* tokens.delete(full.id)
  yield* Console.log("Deleted token:", yield* remove(full.value))
})

await program.pipe(Effect.provide(Sandbox.layer()), Effect.runPromise)
