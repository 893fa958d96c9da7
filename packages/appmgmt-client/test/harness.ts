/** A client of a server that fails, and the token that these tests look for. */
import { AppManagement, AppName, Email, RetryPolicy } from "@vigil/appmgmt-client"
import { Faults, type Reply } from "@vigil/sandbox"
import * as Recorder from "@vigil/testing/Recorder"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Redacted from "effect/Redacted"

export { layers, oneLayer as anyLayer } from "@vigil/testing/HttpStack"
export { printed } from "@vigil/testing/Recorder"

/** The token of these tests; it is nowhere else. */
export const canary = "canary-91be-4f07-c2d8"

/** Retries that tests need not wait for. */
const impatient = RetryPolicy.make({ baseDelay: "1 millis", maxDelay: "2 millis", maxRetryAfter: "100 millis" })

/** An app, and a user of it. */
export const shop = AppName.make("contoso", "shop")
export const ada = Email.make("ada@contoso.example")

/** A client of the service at an address. */
export const connect = (baseUrl: string, options: Partial<AppManagement.Options> = {}) =>
  AppManagement.make({ baseUrl, apiToken: Redacted.make(canary), retry: impatient, ...options })

/** What a call of a client of the scripted server came to, and what the server was asked. */
export const ask = <A, E>(
  script: Reply.Script,
  use: (apps: AppManagement.Service) => Effect.Effect<A, E>,
  options?: Partial<AppManagement.Options>,
) =>
  Effect.gen(function* () {
    const server = yield* Faults.serve(script)
    const apps = yield* connect(server.origin, options)
    const answer = yield* guarded([server], use(apps))
    return { answer, requests: yield* server.requests }
  })

/** Runs a call. Every request has the token once, in its header; nothing that is returned, logged or traced has it. */
export const guarded = <A, E, R>(
  [server, foreign]: readonly [server: Faults.Server, foreign?: Faults.Server],
  effect: Effect.Effect<A, E, R>,
): Effect.Effect<Either.Either<A, E>, never, R> =>
  Recorder.guarded(
    foreign === undefined ? { server } : { server, foreign },
    { canary, header: "x-api-token", value: new RegExp(`^${canary}$`) },
    Effect.either(effect),
    (result) => [Either.merge(result)],
  )
