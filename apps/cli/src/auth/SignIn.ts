/** Sign-in with a browser: the implicit flow, with a response on this machine. */
import * as HealthSignIn from "@vigil/health-client/SignIn"
import * as OAuthImplicit from "@vigil/oauth/OAuthImplicit"
import * as Cause from "effect/Cause"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import { CommandError } from "../command/CommandError.js"
import { Output } from "../output/Output.js"
import * as Loopback from "./Loopback.js"

export interface Options {
  /** Where the token will be sent, for messages. */
  readonly audience: string
  readonly authUrl: string
  readonly clientId: string
  readonly scope: string
  /** The port of this machine; 0 is any free port. */
  readonly port: number
  readonly timeout: Duration.Duration
  readonly openBrowser: boolean
}

const open = (url: string) =>
  Effect.ignore(
    Effect.tryPromise(async () => {
      const { default: opener } = await import("open")
      await opener(url)
    }),
  )

const messageOf = (exit: Exit.Exit<unknown, { readonly message: string }>): Loopback.Message => {
  if (Exit.isSuccess(exit)) return { title: "You are signed in", text: "The command continues." }
  const error = Option.getOrUndefined(Cause.findErrorOption(exit.cause))
  return { title: "You are not signed in", text: error?.message ?? "The command failed." }
}

/** In this time, the opened browser requests the address even if a program of another user was faster. */
const browserStart = Duration.seconds(3)

/** A response without the state may be of an earlier sign-in. */
const isUnverified = (error: OAuthImplicit.ResponseError): boolean =>
  error._tag === "StateMismatch" || (error._tag === "InvalidResponse" && error.reason === "empty")

/** Waits for the response with the state, and rejects others. */
const receive = Effect.fnUntraced(function* (
  loopback: Loopback.Loopback,
  expected: { readonly state: string; readonly nonce: string },
) {
  const { fragment, reply } = yield* loopback.response
  const grant = yield* Effect.result(OAuthImplicit.readResponse({ response: fragment, ...expected }))
  if (Result.isSuccess(grant) || !isUnverified(grant.failure)) return { grant, reply }
  yield* Effect.forkChild(reply(messageOf(Exit.fail(grant.failure))))
  return yield* grant.failure
}, Effect.eventually)

/** Prints the URL, waits for the response and passes the token to `store`. The browser shows the result after that. */
export const run = Effect.fnUntraced(function* <A, E extends { readonly message: string }, R>(
  { audience, authUrl, clientId, openBrowser, port, scope, timeout }: Options,
  store: (grant: OAuthImplicit.Grant) => Effect.Effect<A, E, R>,
) {
  const { note, status } = yield* Output
  const loopback = yield* Loopback.listen(port)
  const expected = { state: yield* OAuthImplicit.makeRandomText, nonce: yield* OAuthImplicit.makeRandomText }
  const redirectUri = loopback.url
  const destination = yield* Effect.fromResult(
    OAuthImplicit.signInUrl({
      authorizationUrl: HealthSignIn.authorizationUrl(authUrl),
      clientId,
      redirectUri,
      scope,
      ...expected,
    }),
  )
  const url = loopback.redirect(destination)
  yield* note(
    openBrowser
      ? `A browser opens to sign in to ${audience}. If it does not, open this URL in one on this machine:`
      : `To sign in to ${audience}, open this URL in a browser on this machine:`,
  )
  yield* note(url)
  if (openBrowser) yield* open(url)
  yield* status("Waiting for the browser …")
  const { grant, reply } = yield* receive(loopback, expected).pipe(
    Effect.tap(openBrowser ? Effect.sleep(browserStart) : Effect.void),
    Effect.timeoutOrElse({
      duration: timeout,
      orElse: () =>
        new CommandError(
          "unauthenticated",
          `The sign-in did not finish within ${Duration.format(timeout)}. Run the command again, or pass a longer --timeout.`,
        ),
    }),
    Effect.raceFirst(loopback.stopped),
    Effect.ensuring(status(undefined)),
  )
  const outcome = yield* Effect.exit(Effect.flatMap(Effect.fromResult(grant), store))
  yield* reply(messageOf(outcome))
  return yield* outcome
})
