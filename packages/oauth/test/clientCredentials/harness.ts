/** Token endpoints and services on real sockets for the tests of client credentials. */
import type { HttpClient } from "effect/http"
import { ServiceClient } from "@vigil/core-http"
import { OAuthClientCredentials } from "@vigil/oauth"
import { Faults, Reply } from "@vigil/sandbox"
import * as random from "@vigil/testing/random"
import * as HttpStack from "@vigil/testing/HttpStack"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Random from "effect/Random"
import * as Redacted from "effect/Redacted"

const clientId = "reports"

/** The client secret. No error, log or span may contain it. Its special characters test the redaction of encoded texts. */
export const secret = "canary-5b9e04+s/e c%r&e=t"

export const assertion = "eyJhbGciOiJFUzI1NiJ9.eyJjYW5hcnkiOiJjYW5hcnktNWI5ZTA0In0.c2ln-bmF0_dXJl"

export const token = "canary-5b9e04-token.1~"

/** The secret in `Authorization`. */
export const basic = btoa(`${clientId}:${new URLSearchParams({ _: secret }).toString().slice(2)}`)

/** Runs an effect with an HTTP client, without waits between retries. */
export const live = <A, E>(effect: Effect.Effect<A, E, HttpClient.HttpClient>): Effect.Effect<A, E> =>
  effect.pipe(Effect.provideService(Random.Random, random.fixed([0])), Effect.provide(HttpStack.oneLayer))

export const methods: ReadonlyArray<OAuthClientCredentials.Authentication> = [
  { method: "client_secret_basic", secret: Redacted.make(secret) },
  { method: "client_secret_post", secret: Redacted.make(secret) },
  { method: "client_assertion", assertion: Effect.succeed(Redacted.make(assertion)) },
]

/** The options for a token endpoint on this server. */
export const optionsOf = (
  { origin }: Pick<Faults.Server, "origin">,
  options: Partial<OAuthClientCredentials.Options> = {},
): OAuthClientCredentials.Options => ({
  tokenUrl: `${origin}/token`,
  clientId,
  authentication: { method: "client_secret_basic", secret: Redacted.make(secret) },
  ...options,
})

/** A successful response, with changes. */
export const granted = (changes: object = {}): Reply.Reply =>
  Reply.json({ access_token: token, token_type: "Bearer", expires_in: 3600, ...changes })

/** Fetches a token from an endpoint that replies by a script. Returns the received requests, too. */
export const fetchFrom = (script: Reply.Script, options: Partial<OAuthClientCredentials.Options> = {}) =>
  Effect.gen(function* () {
    const server = yield* Faults.serve(script)
    const result = yield* Effect.result(live(OAuthClientCredentials.fetchToken(optionsOf(server, options))))
    return { result, requests: yield* server.requests, error: result._tag === "Failure" ? result.failure : undefined }
  })

/** A client of a service that replies by a script, whose credential is fetched from a token endpoint. */
export const serviceOf = (endpoint: OAuthClientCredentials.Options, script: Reply.Script = [Reply.json({})]) =>
  Effect.gen(function* () {
    const server = yield* Faults.serve(script)
    const http = yield* Layer.build(HttpStack.oneLayer)
    const client = yield* Effect.flatMap(OAuthClientCredentials.credential(endpoint), (credential) =>
      ServiceClient.make({ service: "thing", baseUrl: server.origin, credential, concurrency: 100 }),
    ).pipe(Effect.provide(http))
    const get = client.get({ operation: "Thing.get", url: client.url("/thing"), decode: () => Effect.void })
    return { server, get: Effect.provideService(get, Random.Random, random.fixed([0])) }
  })

/** The form fields of a token request. */
export const fieldsOf = ({ body }: Reply.Request) => Object.fromEntries(new URLSearchParams(body))

/** The secret of a token request as it is in the header or in the body. */
export const sentBy = (request: Reply.Request): string => {
  const { client_assertion, client_secret } = fieldsOf(request)
  return client_secret ?? client_assertion ?? request.headers["authorization"] ?? ""
}
