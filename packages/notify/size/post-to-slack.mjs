/** Posts a notification to Slack. */
import * as Slack from "@vigil/notify/Slack"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
Slack.make({ url: Redacted.make(process.argv[2]) }).pipe(
  Effect.flatMap(({ deliver }) => deliver(JSON.parse(process.argv[3]))),
  Effect.scoped,
  Effect.provide(FetchHttpClient.layer),
  Effect.runPromise,
)
