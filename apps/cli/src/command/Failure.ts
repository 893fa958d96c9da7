/** How an error of a command is reported: one sentence on stderr and an exit code. */
import type { RemoveUserError } from "@vigil/appmgmt-client/AppManagementError"
import type { RequestError } from "@vigil/core-http/RequestError"
import type { InvalidSetting } from "@vigil/core-http/SettingsError"
import type { InvalidEvent } from "@vigil/health-client/InvalidEvent"
import type * as Listing from "@vigil/health-client/Listing"
import type { FleetError } from "@vigil/health-fleet/FleetError"
import { supportedVersions } from "@vigil/health-schema/VersionRejection"
import { enumerate } from "@vigil/health-text/Sentence"
import * as TerminalText from "@vigil/health-text/TerminalText"
import type { ResponseError } from "@vigil/oauth/OAuthImplicit"
import * as Cause from "effect/Cause"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import { OutputError } from "../output/Output.js"
import * as Defect from "../output/Defect.js"

/** The codes that a command exits with after a failure. */
export const exits = {
  incomplete: 1,
  usage: 2,
  unauthenticated: 3,
  forbidden: 4,
  notFound: 5,
  unavailable: 6,
  invalid: 7,
  refused: 8,
  /** The verdicts of `vigil why` and `vigil status`. */
  wrong: 10,
  platform: 10,
  maintenance: 11,
  customer: 12,
  unknown: 13,
  defect: 70,
  output: 74,
}

/** The names of the exit codes. */
export type Exit = keyof typeof exits

/** An error of the command itself. `exit` names its exit code. */
interface OwnError extends Error {
  readonly _tag: string
  readonly exit: Exit
}

/** The errors of packages. */
type PackageError =
  | FleetError
  | InvalidEvent
  | InvalidSetting
  | Listing.FetchError
  | Listing.PagesError
  | RemoveUserError
  | RequestError
  | ResponseError

export type Failure = OwnError | PackageError

export const isRequestError = (failure: Failure): failure is RequestError => failure._tag === "RequestError"

/** By the tag of the error, or of the reason of a request error. */
const exitsByTag: {
  readonly [
    Tag in RemoveUserError["reason"]["_tag"] | Exclude<PackageError, RemoveUserError | RequestError>["_tag"]
  ]: Exit
} = {
  CheckpointMismatch: "usage",
  InvalidSetting: "usage",
  AuthorizationRefused: "unauthenticated",
  Credential: "unauthenticated",
  StateMismatch: "unauthenticated",
  Unauthorized: "unauthenticated",
  Forbidden: "forbidden",
  AppNotFound: "notFound",
  NotFound: "notFound",
  UserNotFound: "notFound",
  FleetError: "unavailable",
  RateLimited: "unavailable",
  Timeout: "unavailable",
  Transport: "unavailable",
  BodyTooLarge: "invalid",
  Decode: "invalid",
  InvalidEvent: "invalid",
  InvalidResponse: "invalid",
  Link: "invalid",
  ListLimit: "unavailable",
  PageLimit: "invalid",
  PageLoop: "invalid",
  Redirect: "invalid",
  ServiceFailure: "refused",
}

const isTemporary = (status: number): boolean => status >= 500 || status === 408 || status === 429

/** Whether the service, or the token endpoint, did not respond, or responded with a 5xx, a timeout or a rate limit. */
const isUnavailable = (reason: RemoveUserError["reason"]): boolean => {
  if (reason._tag === "ServiceFailure") return isTemporary(reason.status)
  // A `TokenError`. Importing its class would slow the start of every command.
  const cause = reason._tag === "Credential" && Predicate.hasProperty(reason.cause, "reason") ? reason.cause.reason : {}
  if (Predicate.hasProperty(cause, "status")) return isTemporary(Number(cause.status))
  return Predicate.isTagged(cause, "Transport") || Predicate.isTagged(cause, "Timeout")
}

const exitOf = (failure: Failure): Exit => {
  if ("exit" in failure) return failure.exit
  if (failure._tag !== "RequestError" && failure._tag !== "RemoveUserError") return exitsByTag[failure._tag]
  return isUnavailable(failure.reason) ? "unavailable" : exitsByTag[failure.reason._tag]
}

/** The exit of a command for several lists: that of their errors if all of them failed for one reason. */
export const exitOfSeveral = (errors: ReadonlyArray<Failure>, total: number): Exit => {
  const [first = "incomplete", ...others] = new Set(errors.map(exitOf))
  return others.length === 0 && errors.length === total ? first : "incomplete"
}

/** Exit codes after a signal, as shells report them. */
export const interrupted = { SIGINT: 130, SIGTERM: 143 }

const brokenPipe = 141

/** Codes for a missing subscription, resource or event: the path exists. */
const missingCodes = new Set(["SubscriptionNotFound", "ResourceNotFound", "EventNotFound"])

/** Whether a path of the health events API, which contains the vendor, may not exist. */
export const isUnknownPath = ({ operation, reason }: Described): boolean =>
  /^(?:Availability|Health)Client\./.test(operation ?? "") &&
  Predicate.isTagged(reason, "NotFound") &&
  !(Predicate.hasProperty(reason, "code") && missingCodes.has(String(reason.code)))

const versionAdvice = (supported: ReadonlyArray<string>): string =>
  ` Set --api-version or HEALTH_API_VERSION to ${supported.length === 0 ? "another version" : enumerate(supported, "or")}.`

const vendorAdvice =
  " The vendor in the path may be wrong: check HEALTH_VENDOR or healthVendor, which is Microsoft for Azure."

export interface Described {
  readonly message: string
  readonly operation?: string | undefined
  readonly cause?: unknown
  readonly reason?: unknown
}

/** Names the flag of all timeouts, which the libraries do not know. */
const nameFlag = (text: string): string => text.replace(/allow more time(?=\.)/, "allow more time with --list-timeout")

const withoutOperation = ({ message, operation, reason, ...error }: Described): string => {
  const cause = Predicate.isTagged(reason, "Credential") && "cause" in reason ? reason.cause : error.cause
  if (cause instanceof Error && cause.message !== "" && message.endsWith(cause.message)) return withoutOperation(cause)
  const prefix = `${operation}: `
  if (operation === undefined || !message.startsWith(prefix)) return TerminalText.line(message)
  const text = message.slice(prefix.length)
  return TerminalText.line(text.charAt(0).toUpperCase() + text.slice(1))
}

const adviceOn = (error: Described): string => {
  const supported = supportedVersions(error.reason)
  if (supported !== undefined) return versionAdvice(supported)
  return isUnknownPath(error) ? vendorAdvice : ""
}

/**
 * An error's message without the name of the operation, which is for programmers. If it ends with that of its cause, only the cause's. If the
 * service rejects the API version, it names those that are supported. If a path may not exist, it names the vendor.
 */
export const plain = (error: Described): string => nameFlag(withoutOperation(error)) + adviceOn(error)

/** Which entry of a list is invalid, and why: the path of a field, or `it`, and the problem. `noun` is what an entry should be. */
export const describeEntry = (
  { index, page, path, problem, trackingId }: Listing.InvalidEntry,
  noun = "an event",
): string => {
  const id = trackingId === undefined ? "" : ` (${trackingId})`
  return TerminalText.line(
    `entry ${index} of page ${page}${id} is not ${noun}: ${path === "" ? "it" : path} ${problem}`,
  )
}

/** The message of the library suggests a callback, which a command does not have. */
const invalidEvent = (error: InvalidEvent): string =>
  `The ${describeEntry(error)}. Run vigil events list --output json to see what the service sent.`

/** The library names its options, which a command does not have. */
const settingNames: Readonly<Record<string, string>> = { baseUrl: "base URL", credential: "token" }

export const invalidSetting = ({ expected, setting }: Pick<InvalidSetting, "expected" | "setting">): string =>
  `The ${settingNames[setting] ?? setting} must be ${expected}.`

const sentenceOf = (failure: Failure): string => {
  if ("exit" in failure) return plain(failure)
  if (failure._tag === "InvalidEvent") return invalidEvent(failure)
  return failure._tag === "InvalidSetting" ? invalidSetting(failure) : plain(failure)
}

export const report = (cause: Cause.Cause<Failure>) => {
  if (Cause.hasInterruptsOnly(cause)) return { sentence: undefined, exitCode: interrupted.SIGINT }
  const failure = Option.getOrElse(Cause.findErrorOption(cause), () => Defect.make(Cause.squash(cause)))
  if (failure instanceof OutputError && failure.code === "EPIPE") return { sentence: undefined, exitCode: brokenPipe }
  return { sentence: sentenceOf(failure) || undefined, exitCode: exits[exitOf(failure)] }
}
