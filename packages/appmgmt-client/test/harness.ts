/** A client of a fault server, and the token that the tests search for. */
import { AppManagement, AppName, Email, RetryPolicy } from "@vigil/appmgmt-client"
import { Faults, type Reply } from "@vigil/sandbox"
import * as Recorder from "@vigil/testing/Recorder"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Redacted from "effect/Redacted"

export { layers, oneLayer as anyLayer } from "@vigil/testing/HttpStack"
export { printed } from "@vigil/testing/Recorder"

/** The test token, a unique text. */
export const canary = "canary-91be-4f07-c2d8"

/** Retries without a delay. */
const fastRetry = RetryPolicy.make({ baseDelay: "1 millis", maxDelay: "2 millis", maxRetryAfter: "100 millis" })

/** An app and a user of it. */
export const shop = AppName.make("contoso", "shop")
export const ada = Email.make("ada@contoso.example")

/** A client with this base URL. */
export const connect = (baseUrl: string, options: Partial<AppManagement.Options> = {}) =>
  AppManagement.make({ baseUrl, apiToken: Redacted.make(canary), retry: fastRetry, ...options })

/** The result of a call to a fault server, and its requests. */
export const runCall = <A, E>(
  script: Reply.Script,
  use: (apps: AppManagement.Service) => Effect.Effect<A, E>,
  options?: Partial<AppManagement.Options>,
) =>
  Effect.gen(function* () {
    const server = yield* Faults.serve(script)
    const apps = yield* connect(server.origin, options)
    const result = yield* guarded([server], use(apps))
    return { result, requests: yield* server.requests }
  })

/** Runs a call. Every request contains the token once, in its header. Results, logs and spans never contain it. */
export const guarded = <A, E, R>(
  [server, foreign]: readonly [server: Faults.Server, foreign?: Faults.Server],
  effect: Effect.Effect<A, E, R>,
): Effect.Effect<Result.Result<A, E>, never, R> =>
  Recorder.guarded(
    foreign === undefined ? { server } : { server, foreign },
    { canary, header: "x-api-token", value: new RegExp(`^${canary}$`) },
    Effect.result(effect),
    (result) => [Result.merge(result)],
  )
