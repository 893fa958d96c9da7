/** Access tokens by the OAuth client credentials grant. The secret comes from the environment only. */
import { isAbsolute } from "node:path"
import * as Credential from "@vigil/core-http/Credential"
import * as OAuthClientCredentials from "@vigil/oauth/OAuthClientCredentials"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import type * as HttpClient from "effect/http/HttpClient"
import * as Redacted from "effect/Redacted"
import * as BoundedFile from "../files/BoundedFile.js"
import { UsageError } from "../flags/UsageError.js"
import * as Environment from "../settings/Environment.js"
import * as Settings from "../settings/Settings.js"

const secretVariable = "HEALTH_CLIENT_SECRET"

const assertionVariable = "HEALTH_CLIENT_ASSERTION_FILE"

/** `problem` completes the sentence "The file …". */
class AssertionFileError extends Data.TaggedError("AssertionFileError")<{
  readonly file: string
  readonly problem: string
}> {
  readonly isRetryable: boolean = false
  override get message() {
    return `The file ${JSON.stringify(this.file)} of ${assertionVariable} ${this.problem}. Check the path and the content.`
  }
}

export type FetchError = AssertionFileError | OAuthClientCredentials.TokenError

const maxBytes = 64 * 1024

const readAssertion = Effect.fnUntraced(function* (file: string) {
  const fail = (problem: string) => new AssertionFileError({ file, problem })
  const text = yield* Effect.mapError(BoundedFile.read(file, maxBytes), (error) =>
    fail(error.reason === "missing" ? "does not exist" : BoundedFile.explain(error)),
  )
  const assertion = text.trim()
  return Credential.isHeaderText(assertion)
    ? Redacted.make(assertion)
    : yield* fail(assertion === "" ? "is empty" : "does not contain a token on one line")
})

type Authentication = Effect.Effect<OAuthClientCredentials.Authentication, AssertionFileError>

/** The variable that is set, and how it authenticates: by a secret, or by the content of a file, such as the token of a workload identity. */
const findAuthentication = Effect.gen(function* () {
  const secret = yield* Environment.secret(secretVariable)
  const file = yield* Environment.text(assertionVariable)
  if (secret !== undefined && file !== undefined)
    return yield* new UsageError(`${secretVariable} and ${assertionVariable} are mutually exclusive: set one of them.`)
  if (secret !== undefined) {
    if (!Credential.isHeaderText(Redacted.value(secret)))
      return yield* new UsageError(
        `${secretVariable} contains a line break, a character that is not ASCII, or a space at an end. Set it again.`,
      )
    const authenticate: Authentication = Effect.succeed({ method: "client_secret_basic", secret })
    return { variable: secretVariable, authenticate }
  }
  if (file === undefined) return undefined
  // The value may be the assertion itself and is not shown.
  if (!isAbsolute(file))
    return yield* new UsageError(`${assertionVariable} is not an absolute path. Set it to the path of the file.`)
  // The platform of a workload replaces the file before its token expires, so that it is read each time.
  const authenticate: Authentication = Effect.map(readAssertion(file), (assertion) => ({
    method: "client_assertion",
    assertion,
  }))
  return { variable: assertionVariable, authenticate }
})

/**
 * Returns an effect that fetches a token, if a token URL and either a secret or an assertion file are set. Fails with
 * `UsageError` if the client ID or one of them is missing or invalid.
 */
export const find = Effect.gen(function* () {
  const authentication = yield* findAuthentication
  const { clientId, scope, tokenUrl } = (yield* Settings.Settings).all
  const urlVariable = Settings.variable("tokenUrl")
  if (tokenUrl === undefined)
    return authentication === undefined
      ? undefined
      : yield* new UsageError(`${authentication.variable} requires a token URL: set ${urlVariable}.`)
  if (authentication === undefined)
    return yield* new UsageError(
      `The token URL from ${tokenUrl.from.name} requires a secret or an assertion: set ${secretVariable} or ${assertionVariable}.`,
    )
  if (clientId === undefined)
    return yield* new UsageError(`${urlVariable} requires a client ID: set ${Settings.variable("clientId")}.`)
  const options = { tokenUrl: tokenUrl.value, clientId: clientId.value, scope: scope?.value }
  const unused = { method: "client_secret_basic", secret: Redacted.make("") } as const
  yield* Effect.mapError(
    OAuthClientCredentials.credential({ ...options, authentication: unused }),
    () =>
      new UsageError(
        `${Settings.describe("tokenUrl", tokenUrl.from)} is not a valid token URL. Set an https URL (http only for this machine) without a password and without #.`,
      ),
  )
  const http = yield* Effect.context<HttpClient.HttpClient>()
  const fetch = authentication.authenticate.pipe(
    Effect.flatMap((authentication) => OAuthClientCredentials.fetchToken({ ...options, authentication })),
    Effect.provide(http),
  )
  return { from: { kind: "client-credentials", name: Settings.display(tokenUrl) } as const, fetch }
})
