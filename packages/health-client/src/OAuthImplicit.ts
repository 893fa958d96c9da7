/** Signing a person in by the implicit flow: the address to send them to, and the answer that comes back. */
import * as Credential from "@vigil/core-http/Credential"
import * as PlainText from "@vigil/core-http/PlainText"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Encoding from "effect/Encoding"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as redirectAnswer from "./internal/redirectAnswer.js"
import * as signInAddress from "./internal/signInAddress.js"
import {
  type AnswerError,
  AuthorizationRefused,
  InvalidRequest,
  MalformedAnswer,
  StateMismatch,
} from "./OAuthImplicitError.js"

/**
 * Who asks whom, for what.
 * @category models
 * @since 0.1.0
 */
export interface Request {
  /** The authorization server's base address, `{auth_url}` of the document: https, or http on this machine. */
  readonly authUrl: string
  /** The application, as the authorization server knows it. */
  readonly clientId: string
  /** Where the answer comes back to, sent as it is: https, or http on this machine, without a fragment. */
  readonly redirectUri: string
  /** A text that nobody can guess (`makeState`), kept by the application until the answer is there. */
  readonly state: string
  /** Default: `user_impersonation` (document, "Authentication"). */
  readonly scope?: string | undefined
  /** A text that nobody can guess (`makeNonce`), for servers that add an identity token. Default: none. */
  readonly nonce?: string | undefined
  /** What this server asks for beside these, such as `resource` or `prompt`. None of it replaces one of these. */
  readonly parameters?: Readonly<Record<string, string>> | undefined
}

/**
 * What came back. Forget the state once it was read: an answer is good for one time.
 * @category models
 * @since 0.1.0
 */
export interface Received {
  /** The whole address that the browser was sent back to, or its fragment, with or without the `#`. */
  readonly answer: string
  /** The state of the request. */
  readonly state: string
  /** The nonce of the request, if it had one. */
  readonly nonce?: string | undefined
}

/**
 * A right that was granted. `scope` is `None` when it is as it was asked for, `expiresAt` when the server does not say
 * (RFC 6749, 4.2.2).
 * @category models
 * @since 0.1.0
 */
export interface Grant {
  /** For `Credential.bearer`, or `credential`, which knows when it ends. */
  readonly accessToken: Redacted.Redacted
  readonly scope: Option.Option<ReadonlyArray<string>>
  readonly expiresAt: Option.Option<DateTime.Utc>
}

/** 256 bits, base64url. */
const unguessable: Effect.Effect<string> = Effect.sync(() =>
  Encoding.encodeBase64Url(crypto.getRandomValues(new Uint8Array(32))),
)

/**
 * A state that nobody can guess, new each time: 256 random bits, base64url (RFC 6749, 10.10).
 * @category constructors
 * @since 0.1.0
 */
export const makeState: Effect.Effect<string> = unguessable

/**
 * A nonce that nobody can guess, made like a state.
 * @category constructors
 * @since 0.1.0
 */
export const makeNonce: Effect.Effect<string> = unguessable

/**
 * The address to send a person's browser to: `{auth_url}/common/oauth2/authorize` (document, "Authentication"; RFC 6749,
 * 4.2.1). Fails with `InvalidRequest`.
 * @category requests
 * @since 0.1.0
 */
export const authorizationUrl = ({
  authUrl,
  clientId,
  nonce,
  parameters,
  redirectUri,
  scope = "user_impersonation",
  state,
}: Request): Either.Either<string, InvalidRequest> =>
  Either.gen(function* () {
    const refuse = (option: InvalidRequest["option"]) => (reason: InvalidRequest["reason"]) =>
      new InvalidRequest({ option, reason })
    const address = signInAddress.endpoint(authUrl, "/common/oauth2/authorize")
    const endpoint = yield* Either.mapLeft(address, refuse("authUrl"))
    const redirect = yield* Either.mapLeft(signInAddress.redirect(redirectUri), refuse("redirectUri"))
    if (clientId === "") return yield* Either.left(refuse("clientId")("empty"))
    if (state === "") return yield* Either.left(refuse("state")("empty"))
    if (nonce === "") return yield* Either.left(refuse("nonce")("empty"))
    const query = new URLSearchParams({
      ...parameters,
      response_type: "token",
      client_id: clientId,
      redirect_uri: redirect,
      scope,
      state,
      ...(nonce === undefined ? {} : { nonce }),
    })
    return `${endpoint}?${query.toString()}`
  })

/** What a bearer token is made of (RFC 6750, 2.1). */
const bearerToken = /^[\w.~+/-]+=*$/

/** Seconds; more digits would leave the calendar. */
const seconds = /^\d{1,10}$/

/**
 * Reads the answer (RFC 6749, 4.2.2). The state is compared before anything else in it is believed, an error included.
 * The token's lifetime counts from now. An identity token must hold the nonce, if one was given; its signature is not
 * checked, as that takes the server's keys, so it proves nothing else. Fails with `StateMismatch`, `AuthorizationRefused`
 * and `MalformedAnswer`, none of which holds a token.
 * @category answers
 * @since 0.1.0
 */
export const readAnswer = ({ answer, nonce, state }: Received): Effect.Effect<Grant, AnswerError> =>
  Effect.gen(function* () {
    const { get, isEmpty, isRepeated } = redirectAnswer.read(answer)
    const malformed = (reason: MalformedAnswer["reason"]) => new MalformedAnswer({ reason })
    if (isEmpty) return yield* malformed("empty")

    const theirs = get("state")
    if (isRepeated("state")) return yield* new StateMismatch({ reason: "repeated" })
    if (theirs === undefined) return yield* new StateMismatch({ reason: "missing" })
    if (!redirectAnswer.isSame(theirs, state)) return yield* new StateMismatch({ reason: "different" })

    if (isRepeated()) return yield* malformed("repeated")
    const [token, code] = [get("access_token"), get("error")]
    if (token !== undefined && code !== undefined) return yield* malformed("both")
    if (code !== undefined) {
      const words = (text: string, length: number) =>
        PlainText.toSingleLine(text.replaceAll(state, "<redacted>"), length)
      const description = get("error_description")
      return yield* new AuthorizationRefused({
        code: words(code, 100),
        description: description === undefined ? undefined : words(description, 500),
      })
    }
    if (token === undefined) return yield* malformed("missing")
    if (!bearerToken.test(token)) return yield* malformed("token")
    if (get("token_type")?.toLowerCase() !== "bearer") return yield* malformed("type")

    const lifetime = get("expires_in")
    if (lifetime !== undefined && !(seconds.test(lifetime) && Number(lifetime) > 0)) return yield* malformed("lifetime")

    const identity = get("id_token")
    const isOurs = (nonce: string, identity: string) =>
      Option.exists(redirectAnswer.nonceOf(identity), (theirs) => redirectAnswer.isSame(theirs, nonce))
    if (nonce !== undefined && identity !== undefined && !isOurs(nonce, identity)) return yield* malformed("nonce")

    const now = yield* DateTime.now
    return {
      accessToken: Redacted.make(token),
      scope: Option.map(Option.fromNullable(get("scope")), (scope) => scope.split(/ +/).filter((name) => name !== "")),
      expiresAt: Option.map(Option.fromNullable(lifetime), (lifetime) =>
        DateTime.add(now, { seconds: Number(lifetime) }),
      ),
    }
  })

/**
 * The token as a client's credential, until it expires; from then on every request fails with `CredentialError`
 * (`unavailable`) before anything is sent. There is no margin: a request that leaves in time may arrive too late, and is
 * then answered 401. Without an expiry, the service alone decides.
 * @category conversions
 * @since 0.1.0
 */
export const credential = ({ accessToken, expiresAt }: Grant): Credential.Credential => {
  // Asked for with each attempt, so that the client keeps none that has expired since.
  const bearer = Credential.bearer(accessToken, { timeToLive: Duration.zero })
  if (bearer._tag === "None" || Option.isNone(expiresAt)) return bearer
  const value = Effect.flatMap(DateTime.isFuture(expiresAt.value), (isValid) =>
    isValid ? bearer.value : Effect.fail<Credential.Failure>({ reason: "unavailable" }),
  )
  return { ...bearer, value }
}
