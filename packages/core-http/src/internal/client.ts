/** The records that the steps of a call share: the client, and the call. */
import type * as Cookies from "effect/http/Cookies"
import type * as Headers from "effect/http/Headers"
import type * as HttpClient from "effect/http/HttpClient"
import type * as HttpClientRequest from "effect/http/HttpClientRequest"
import type * as Duration from "effect/Duration"
import type { ErrorBody } from "../ErrorBody.js"
import type { Options } from "../Request.js"
import { RequestError, type RequestReason } from "../RequestError.js"
import type { Retry } from "../Retry.js"
import type { Content } from "./body.js"
import type { CredentialCache, Header } from "./credentialCache.js"
import type { Gate } from "./gate.js"
import type { Parameters, Secrets } from "./redact.js"
import type { Permit, Semaphore } from "./semaphore.js"

export interface Client {
  readonly service: string
  readonly base: URL
  readonly http: HttpClient.HttpClient
  readonly requestInit: RequestInit
  readonly redactedHeaders: ReadonlyArray<string>
  /** The origins that links and redirects may lead to. */
  readonly trusted: ReadonlyArray<string>
  readonly parameters: Parameters
  readonly parseErrorBody: (json: unknown) => ErrorBody
  /** The headers with the ID that the service gives to a request. */
  readonly requestIds: ReadonlyArray<string>
  readonly maxBodyBytes: number
  readonly refusesAll: (headers: Headers.Headers) => boolean
  readonly gate: Gate
  readonly withPermit: Semaphore
  readonly credentials: CredentialCache
  readonly timeout: Duration.Duration
  readonly totalTimeout: Duration.Duration
  readonly maxRetryAfter: Duration.Duration
  readonly retry: Retry
  readonly maxBudget: number
  /** The remaining retries that all calls share, in tenths. */
  budget: number
}

/** A call that has begun, and what it has sent so far. */
export interface Call extends Secrets {
  readonly client: Client
  readonly request: HttpClientRequest.HttpClientRequest
  readonly options: Options
  /** The name in errors. */
  readonly operation: string
  readonly url: URL
  /** The request as programs may print it. */
  readonly shown: HttpClientRequest.HttpClientRequest
  /** All secrets, also of the URLs so far. No error contains them. */
  readonly secrets: Set<string>
  /** The milliseconds until the total timeout. */
  readonly timeLeft: () => number
  readonly permit: Permit
  /** The credential of the next request, or of the last one. */
  header: Header | undefined
  requests: number
  /** Also `true` while a request waits for its response. */
  maybeApplied: boolean
  /** Set before a timeout interrupts the request, to distinguish it from a cancelled one in telemetry. */
  hasTimedOut: boolean
  previousError: string | undefined
  /** Whether the last error response says that the service refuses all requests. */
  refusesAll: boolean
}

export interface Success {
  readonly status: number
  readonly headers: Headers.Headers
  readonly cookies: Cookies.Cookies
  readonly bytes: Content
  readonly url: URL
}

export const toError = (
  { client: { service }, maybeApplied, operation }: Pick<Call, "client" | "maybeApplied" | "operation">,
  reason: RequestReason,
): RequestError => new RequestError({ service, operation, reason, maybeApplied })

/** Adds secrets for good: a response may also repeat one of an earlier request. */
export const hide = ({ secrets }: Call, added: ReadonlyArray<string>): void => {
  for (const secret of added) secrets.add(secret)
}
