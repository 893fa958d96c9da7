import { FetchHttpClient } from "@effect/platform"
import { ApiToken, AppManagement, AppName, Email } from "@vigil/appmgmt-client"
import { Console, Effect, Layer } from "effect"

const app = AppName.make("contoso", "shop")

const program = Effect.gen(function* () {
  const apps = yield* AppManagement.AppManagement
  const removal = yield* apps.removeUser(app, Email.make("ada+test@example.org"))
  yield* Console.log(removal._tag === "Removed" ? "Removed." : removal.note)
}).pipe(
  Effect.catchTags({
    UserNotFound: (error) => Console.error(error.message),
    AppNotFound: (error) => Console.error(error.message),
    TokenScopeError: (error) => Console.error(error.message),
  }),
)

// With the token's kind declared, what it can never do is not even sent.
const Apps = Layer.unwrapEffect(
  Effect.map(AppManagement.config, (options) =>
    AppManagement.layer({ ...options, token: ApiToken.app(app, "read-only") }),
  ),
).pipe(Layer.provide(FetchHttpClient.layer))

await program.pipe(Effect.provide(Apps), Effect.runPromise)
