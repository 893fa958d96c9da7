/** Reads a user and removes one from an app. */
import * as AppManagement from "@vigil/appmgmt-client/AppManagement"
import * as AppName from "@vigil/appmgmt-client/AppName"
import * as Email from "@vigil/appmgmt-client/Email"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
AppManagement.AppManagement.pipe(
  Effect.flatMap((apps) =>
    Effect.flatMap(apps.user, ({ email }) => apps.removeUser(AppName.make("contoso", "shop"), Email.make(email))),
  ),
  Effect.provide(AppManagement.layer({ baseUrl: "https://apps.example", apiToken: Redacted.make(process.argv[2]) })),
  Effect.provide(FetchHttpClient.layer),
  Effect.runPromise,
)
