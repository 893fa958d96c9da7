import { AppManagement, AppName, Email } from "@vigil/appmgmt-client"
import { Console, Effect } from "effect"

const app = AppName.make("contoso", "shop")

const program = Effect.gen(function* () {
  const apps = yield* AppManagement.AppManagement
  yield* apps.removeUser(app, Email.make("ada@example.org"))
}).pipe(Effect.catchTag("TokenScopeError", (error) => Console.error(error.message)))

// A read-only token cannot remove users. The error names a token that can.
const Apps = AppManagement.layerTest({}, { kind: "app", app, access: "read-only", name: "dashboard" })

await program.pipe(Effect.provide(Apps), Effect.runPromise)
