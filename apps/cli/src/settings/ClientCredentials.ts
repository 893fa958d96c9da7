/** The settings for OAuth client credentials. The secret comes from the environment only. */
import * as Origin from "@vigil/core-http/Origin"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import type * as Redacted from "effect/Redacted"
import { UsageError } from "../Failure.js"
import * as Environment from "./Environment.js"
import * as Settings from "./Settings.js"

const secretVariable = "HEALTH_CLIENT_SECRET"

export const assertionVariable = "HEALTH_CLIENT_ASSERTION_FILE"

/** How the client authenticates: by a secret, or by the content of a file, such as the token of a workload identity. */
export type Proof =
  | { readonly _tag: "Secret"; readonly secret: Redacted.Redacted }
  | { readonly _tag: "AssertionFile"; readonly file: string }

export interface ClientCredentials {
  readonly tokenUrl: Settings.Setting
  readonly clientId: string
  readonly scope: string | undefined
  readonly proof: Proof
}

const findProof: Effect.Effect<Option.Option<Proof>, UsageError> = Effect.gen(function* () {
  const secret = yield* Environment.secret(secretVariable)
  const file = yield* Environment.text(assertionVariable)
  if (Option.isSome(secret) && Option.isSome(file))
    return yield* new UsageError(`${secretVariable} and ${assertionVariable} are mutually exclusive: set one of them.`)
  return Option.isSome(secret)
    ? Option.some({ _tag: "Secret", secret: secret.value })
    : Option.map(file, (file) => ({ _tag: "AssertionFile", file }))
})

/** In use if the token URL is set, and a secret or a file. Fails if the client ID is missing, or if a setting is refused. */
export const find: Effect.Effect<Option.Option<ClientCredentials>, UsageError> = Effect.gen(function* () {
  const proof = yield* findProof
  if (Option.isNone(proof)) return Option.none()
  const { refused, settings } = yield* Settings.read
  const { clientId, scope, tokenUrl } = settings
  if (refused.tokenUrl !== undefined) return yield* refused.tokenUrl.error
  if (tokenUrl === undefined) return Option.none()
  const url = Option.getOrUndefined(Either.getRight(Origin.parseHttp(tokenUrl.value)))
  if (url === undefined || Origin.isExposed(url) || url.hash !== "")
    return yield* new UsageError(
      `${Settings.variable("tokenUrl")} is not an HTTPS URL without a user, a password and a fragment. It is from ${tokenUrl.from.name}.`,
    )
  const problem = refused.clientId ?? refused.scope
  if (problem !== undefined) return yield* problem.error
  if (clientId === undefined)
    return yield* new UsageError(
      `${Settings.variable("tokenUrl")} requires a client ID: set ${Settings.variable("clientId")}.`,
    )
  return Option.some({
    tokenUrl,
    clientId: clientId.value,
    // The default belongs to the sign-in with a browser.
    scope: scope?.from.kind === "default" ? undefined : scope?.value,
    proof: proof.value,
  })
})
