/** Gets access tokens by the OAuth client credentials grant. */
import { promises } from "node:fs"
import type * as HttpClient from "@effect/platform/HttpClient"
import * as Credential from "@vigil/core-http/Credential"
import * as OAuthClientCredentials from "@vigil/core-http/OAuthClientCredentials"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { codeOf } from "../ErrorCode.js"
import type * as Settings from "../settings/ClientCredentials.js"
import { AssertionFileError } from "./AssertionFileError.js"
import type { Grant } from "./Grant.js"

export type FetchError = AssertionFileError | OAuthClientCredentials.TokenError

const readAssertion = (file: string): Effect.Effect<Redacted.Redacted, AssertionFileError> =>
  Effect.gen(function* () {
    const fail = (problem: string) => new AssertionFileError({ file, problem })
    const text = yield* Effect.tryPromise({
      // Reading a FIFO or a device may have no end.
      try: async () => ((await promises.stat(file)).isFile() ? await promises.readFile(file, "utf8") : undefined),
      catch: (error) => fail(`could not be read (${codeOf(error) ?? "unknown reason"})`),
    })
    if (text === undefined) return yield* fail("is not a regular file")
    const assertion = text.trim()
    return Credential.isHeaderText(assertion)
      ? Redacted.make(assertion)
      : yield* fail(assertion === "" ? "is empty" : "does not contain a token on one line")
  })

/** The platform of a workload replaces the file before its token expires, so that it is read each time. */
const authenticate = (
  proof: Settings.Proof,
): Effect.Effect<OAuthClientCredentials.Authentication, AssertionFileError> =>
  proof._tag === "Secret"
    ? Effect.succeed({ method: "client_secret_basic", secret: proof.secret })
    : Effect.map(readAssertion(proof.file), (assertion) => ({ method: "client_assertion", assertion }))

export const fetch = ({
  clientId,
  proof,
  scope,
  tokenUrl,
}: Settings.ClientCredentials): Effect.Effect<Grant, FetchError, HttpClient.HttpClient> =>
  Effect.gen(function* () {
    const authentication = yield* authenticate(proof)
    const options = { tokenUrl: tokenUrl.value, clientId, authentication, scope }
    const { accessToken, lifetime } = yield* OAuthClientCredentials.fetchToken(options)
    const now = yield* DateTime.now
    return { token: accessToken, expiresAt: Option.map(lifetime, (left) => DateTime.addDuration(now, left)) }
  })
