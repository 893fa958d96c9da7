/** Gets access tokens by the OAuth client credentials grant. */
import type * as HttpClient from "effect/http/HttpClient"
import * as Credential from "@vigil/core-http/Credential"
import * as OAuthClientCredentials from "@vigil/core-http/OAuthClientCredentials"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { UsageError } from "../Failure.js"
import * as ClientSettings from "../settings/ClientSettings.js"
import * as OwnedFile from "../settings/OwnedFile.js"
import * as Settings from "../settings/Settings.js"
/** `problem` completes the sentence "The file …". */
class AssertionFileError extends Data.TaggedError("AssertionFileError")<{
  readonly file: string
  readonly problem: string
}> {
  readonly retryable: boolean = false
  override get message() {
    return `The file ${JSON.stringify(this.file)} of ${ClientSettings.assertionVariable} ${this.problem}. Check the path and the content.`
  }
}

export type FetchError = AssertionFileError | OAuthClientCredentials.TokenError

const readAssertion = Effect.fnUntraced(function* (file: string) {
  const fail = (problem: string) => new AssertionFileError({ file, problem })
  const read = yield* Effect.mapError(OwnedFile.readOfAnyOwner(file), ({ reason }) => fail(reason))
  if (read._tag !== "Text") return yield* fail("does not exist")
  const assertion = read.text.trim()
  return Credential.isHeaderText(assertion)
    ? Redacted.make(assertion)
    : yield* fail(assertion === "" ? "is empty" : "does not contain a token on one line")
})

/** The platform of a workload replaces the file before its token expires, so that it is read each time. */
const authenticate = (
  authentication: ClientSettings.Authentication,
): Effect.Effect<OAuthClientCredentials.Authentication, AssertionFileError> =>
  authentication._tag === "Secret"
    ? Effect.succeed({ method: "client_secret_basic", secret: authentication.secret })
    : Effect.map(readAssertion(authentication.file), (assertion) => ({ method: "client_assertion", assertion }))

/** Fails with `UsageError` if the token URL is invalid. */
const validate = (tokenUrl: Settings.Setting): Effect.Effect<void, UsageError, HttpClient.HttpClient> => {
  const subject = Settings.describe("tokenUrl", tokenUrl.from)
  const authentication = { method: "client_secret_basic", secret: Redacted.make("") } as const
  return Effect.mapError(
    OAuthClientCredentials.credential({ tokenUrl: tokenUrl.value, clientId: "unused", authentication }),
    () =>
      new UsageError(
        `${subject} is not a valid token URL. Set an https URL (http only for this machine) without a password and without #.`,
      ),
  )
}

/** Returns an effect that fetches a token. Fails with `UsageError` if the token URL is invalid. */
export const make = Effect.fnUntraced(function* ({
  authentication,
  clientId,
  scope,
  tokenUrl,
}: ClientSettings.ClientCredentials) {
  const http = yield* Effect.context<HttpClient.HttpClient>()
  const options = { tokenUrl: tokenUrl.value, clientId, scope }
  yield* validate(tokenUrl)
  return authenticate(authentication).pipe(
    Effect.flatMap((authentication) => OAuthClientCredentials.fetchToken({ ...options, authentication })),
    Effect.provide(http),
  )
})
