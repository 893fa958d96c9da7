/** What a failure is to the one who ran the command: one sentence on stderr, and an exit code by its kind. */
import * as HelpDoc from "@effect/cli/HelpDoc"
import * as ValidationError from "@effect/cli/ValidationError"
import type * as ServiceClient from "@vigil/core-http/ServiceClient"
import type * as Listing from "@vigil/health-client/Listing"
import * as Cause from "effect/Cause"
import type * as ConfigError from "effect/ConfigError"
import * as Data from "effect/Data"
import type { OutputClosed } from "./Output.js"
import * as TerminalText from "./TerminalText.js"

/** The command was given something that it can't use. */
export class UsageError extends Data.TaggedError("UsageError")<{ readonly message: string }> {}

/** Everything that a command fails with. */
export type Failure =
  | ConfigError.ConfigError
  | Listing.ListError
  | OutputClosed
  | ServiceClient.RequestError
  | UsageError
  | ValidationError.ValidationError

/** The exit code of each kind; documented in the README. */
const codes: { readonly [Tag in Failure["_tag"]]: number } = {
  UsageError: 2,
  CommandMismatch: 2,
  CorrectedFlag: 2,
  HelpRequested: 0,
  InvalidArgument: 2,
  InvalidValue: 2,
  MissingFlag: 2,
  MissingValue: 2,
  MissingSubcommand: 2,
  MultipleValuesDetected: 2,
  NoBuiltInMatch: 2,
  UnclusteredFlag: 2,
  LinkRefused: 2,
  ConfigError: 2,
  CredentialError: 3,
  Unauthorized: 3,
  Forbidden: 3,
  NotFound: 4,
  TransportError: 5,
  TimeoutError: 5,
  RateLimited: 6,
  LengthRequired: 6,
  ServiceError: 6,
  BodyTooLarge: 7,
  DecodeError: 7,
  InvalidEvent: 7,
  PageLimit: 7,
  PageLoop: 7,
  RedirectRefused: 7,
  OutputClosed: 141,
}

/** A failure that is nobody's but the command's own. */
const defect = 70

/** As a shell counts a process that SIGINT ended. */
export const interrupted = 130

/** What to print, if anything, and how to exit. */
export interface Report {
  readonly sentence: string | undefined
  readonly exitCode: number
}

/** What `@effect/cli` found wrong with the arguments, in a line. */
const usage = (error: ValidationError.ValidationError): string => {
  const text = TerminalText.line(HelpDoc.toAnsiText(error.error))
  return `${/[.?!]$/.test(text) ? text : `${text}.`} Run with --help to see what there is.`
}

const sentence = (failure: Failure): string | undefined => {
  if (ValidationError.isValidationError(failure)) return usage(failure)
  if (failure._tag === "OutputClosed") return failure.code === "EPIPE" ? undefined : failure.message
  return "message" in failure ? TerminalText.line(failure.message) : TerminalText.line(String(failure))
}

/** The report of a failed run. */
export const report = (cause: Cause.Cause<Failure>): Report => {
  const failure = Cause.failureOption(cause)
  if (failure._tag === "Some") return { sentence: sentence(failure.value), exitCode: codes[failure.value._tag] }
  if (Cause.isInterruptedOnly(cause)) return { sentence: undefined, exitCode: interrupted }
  return {
    sentence: `This is a bug in vigil, please report it: ${TerminalText.line(String(Cause.squash(cause)))}`,
    exitCode: defect,
  }
}
