import { AppManagement, AppName, Email } from "@vigil/appmgmt-client"
import { Console, Effect } from "effect"

// The real client with an in-memory service: no request leaves the process.
const Apps = AppManagement.layerTest({ users: { "contoso/shop": ["ada@example.org"] } })

const program = Effect.gen(function* () {
  const apps = yield* AppManagement.AppManagement
  const remove = apps.removeUser(AppName.make("contoso", "shop"), Email.make("ada@example.org"))
  const first = yield* remove
  const second = yield* Effect.flip(remove)
  yield* Console.log(first._tag, second.reason._tag)
})

await program.pipe(Effect.provide(Apps), Effect.runPromise)
