/** The settings for OAuth client credentials. The secret comes from the environment only. */
import { isAbsolute } from "node:path"
import * as Credential from "@vigil/core-http/Credential"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { UsageError } from "../Failure.js"
import * as Environment from "./Environment.js"
import * as Settings from "./Settings.js"

const secretVariable = "HEALTH_CLIENT_SECRET"

export const assertionVariable = "HEALTH_CLIENT_ASSERTION_FILE"

/** How the client authenticates: by a secret, or by the content of a file, such as the token of a workload identity. */
export type Authentication =
  | { readonly _tag: "Secret"; readonly secret: Redacted.Redacted }
  | { readonly _tag: "AssertionFile"; readonly file: string }

/** Fails with `UsageError` if a variable is invalid. */
const findAuthentication = Effect.gen(function* (): Effect.fn.Return<Authentication | undefined, UsageError> {
  const secret = yield* Environment.secret(secretVariable)
  const file = yield* Environment.text(assertionVariable)
  if (secret !== undefined && file !== undefined)
    return yield* new UsageError(`${secretVariable} and ${assertionVariable} are mutually exclusive: set one of them.`)
  if (secret !== undefined) {
    if (!Credential.isHeaderText(Redacted.value(secret)))
      return yield* new UsageError(
        `${secretVariable} contains a line break, a character that is not ASCII, or a space at an end. Set it again.`,
      )
    return { _tag: "Secret", secret }
  }
  // The value may be the assertion itself and is not shown.
  if (file !== undefined && !isAbsolute(file))
    return yield* new UsageError(`${assertionVariable} is not an absolute path. Set it to the path of the file.`)
  return file === undefined ? undefined : { _tag: "AssertionFile", file }
})

/**
 * Returns the client credentials if the token URL and either a secret or an assertion file are set. Fails with `UsageError` if one of them or the
 * client ID is missing.
 */
export const find = Effect.gen(function* () {
  const authentication = yield* findAuthentication
  const { clientId, scope, tokenUrl } = (yield* Settings.Settings).all
  const urlVariable = Settings.variable("tokenUrl")
  if (authentication === undefined) {
    if (tokenUrl === undefined) return undefined
    return yield* new UsageError(
      `The token URL from ${tokenUrl.from.name} requires a secret or an assertion: set ${secretVariable} or ${assertionVariable}.`,
    )
  }
  if (tokenUrl === undefined) {
    const name = authentication._tag === "Secret" ? secretVariable : assertionVariable
    return yield* new UsageError(`${name} requires a token URL: set ${urlVariable}.`)
  }
  if (clientId === undefined)
    return yield* new UsageError(`${urlVariable} requires a client ID: set ${Settings.variable("clientId")}.`)
  return { tokenUrl, clientId: clientId.value, scope: scope?.value, authentication }
})

export type ClientCredentials = NonNullable<Effect.Success<typeof find>>
