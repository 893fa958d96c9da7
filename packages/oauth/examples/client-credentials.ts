import { readFile } from "node:fs/promises"
import { FetchHttpClient } from "effect/http"
import { ServiceClient } from "@vigil/core-http"
import { OAuthClientCredentials } from "@vigil/oauth"
import { Config, Console, Effect, Redacted } from "effect"

// Runs for each token request, because the platform replaces the token in the file.
const readAssertion = (path: string) =>
  Effect.map(
    Effect.tryPromise(() => readFile(path, "utf8")),
    (text) => Redacted.make(text.trim()),
  )

const program = Effect.gen(function* () {
  const credential = yield* OAuthClientCredentials.credential({
    tokenUrl: yield* Config.String("TOKEN_URL"),
    clientId: yield* Config.String("CLIENT_ID"),
    // With a secret: { method: "client_secret_basic", secret: yield* Config.Redacted("CLIENT_SECRET") }
    authentication: { method: "client_assertion", assertion: readAssertion(yield* Config.String("TOKEN_FILE")) },
    scope: "reports.read",
  })
  const service = yield* ServiceClient.make({
    service: "reports",
    baseUrl: yield* Config.String("SERVICE_BASE_URL"),
    credential,
  })
  yield* service.httpClient.head("/reports/latest")
  yield* Console.log("The report exists.")
})

await program.pipe(
  // For example: "… could not be fetched: … the token service responded 401 invalid_client. Check the client ID, …"
  Effect.catchReason("RequestError", "Credential", (_, error) => Console.error(error.message)),
  Effect.scoped,
  Effect.provide(FetchHttpClient.layer),
  Effect.runPromise,
)
