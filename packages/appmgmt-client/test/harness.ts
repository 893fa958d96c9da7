/** A client of a fault server, and the token that no result, log or span may contain. */
import { AppManagement, AppName, Email, Retry } from "@vigil/appmgmt-client"
import { Faults, type Reply } from "@vigil/sandbox"
import * as Recorder from "@vigil/testing/Recorder"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"

const canary = "canary-91be-4f07-c2d8"

export const shop = AppName.make("contoso", "shop")
export const ada = Email.make("ada@contoso.example")

/** A client with this base URL, whose retries do not wait. */
export const connect = (baseUrl: string, options: Partial<AppManagement.Options> = {}) =>
  AppManagement.make({ baseUrl, apiToken: Redacted.make(canary), retry: Retry.exponential("1 millis", 3), ...options })

/** The result of a call. Each request contains the token once, in its header. Nothing else contains it. */
export const guarded = <A, E, R>(servers: Recorder.Servers, call: Effect.Effect<A, E, R>) =>
  Recorder.guarded(
    servers,
    { canary, header: "x-api-token", value: new RegExp(`^${canary}$`) },
    Effect.result(call),
    (result) => [Result.merge(result)],
  )

/** The result of a call to a fault server, and its requests. */
export const runCall = <A, E>(
  script: Reply.Script,
  use: (apps: AppManagement.Service) => Effect.Effect<A, E>,
  options?: Partial<AppManagement.Options>,
) =>
  Effect.gen(function* () {
    const server = yield* Faults.serve(script)
    const apps = yield* connect(server.origin, options)
    const result = yield* guarded({ server }, use(apps))
    return { result, requests: yield* server.requests }
  })
