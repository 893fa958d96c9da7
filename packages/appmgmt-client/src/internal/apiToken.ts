/** The option `apiToken`: the secret that is sent, and what is known about it. */
import type * as Credential from "@vigil/core-http/Credential"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import type * as ApiToken from "../ApiToken.js"

interface Parts {
  readonly secret: Credential.Secret
  readonly description: ApiToken.Description | undefined
}

/** Separates the two, so that no error can carry the secret. */
export const split = (apiToken: Credential.Secret | ApiToken.ApiToken): Parts => {
  if (Redacted.isRedacted(apiToken) || Effect.isEffect(apiToken)) return { secret: apiToken, description: undefined }
  const { secret, ...description } = apiToken
  return { secret: Redacted.value(secret), description: Data.struct(description) }
}
