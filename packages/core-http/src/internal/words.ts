/** The service's words about an answer that says no, made fit to be shown. */
import type * as HttpClientResponse from "@effect/platform/HttpClientResponse"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { ErrorBody } from "../ErrorBody.js"
import type { Call } from "../HttpError.js"
import type { Answer } from "../ServiceError.js"
import * as body from "./body.js"
import { redactText } from "./redactText.js"
import * as retryAfter from "./retryAfter.js"

/** Of an error's body, no more than this is read, in bytes. */
const maxBytes = 64 * 1024

/** Nor is it waited for longer than this: the status alone says enough. */
const patience = "2 seconds"

const requestIdHeaders = ["x-ms-request-id", "x-request-id", "request-id"]

const redact = (text: string | null | undefined, secrets: ReadonlyArray<string>, length: number): string | undefined =>
  text === null || text === undefined || text === "" ? undefined : redactText(text, secrets, length)

const parse = Option.liftThrowable((text: string): unknown => JSON.parse(text))

/**
 * What is known of the answer. `read` makes the service's words of its JSON; `secrets` are the texts that were sent with
 * the request and must not come back with its error.
 */
export const read = (
  call: Call,
  response: HttpClientResponse.HttpClientResponse,
  readBody: (json: unknown) => Option.Option<ErrorBody>,
  secrets: ReadonlyArray<string>,
): Effect.Effect<Omit<Answer, "repeated">> =>
  Effect.gen(function* () {
    const { headers, status } = response
    const text = yield* Effect.option(Effect.timeout(body.text(response, maxBytes), patience))
    const words = text.pipe(
      Option.flatMap(parse),
      Option.flatMap(Option.liftThrowable(readBody)),
      Option.flatten,
      Option.getOrUndefined,
    )
    const requestId = requestIdHeaders.map((name) => headers[name]).find((value) => value !== undefined)
    return {
      ...call,
      status,
      code: redact(words?.code, secrets, 100),
      detail: redact(words?.message, secrets, 500),
      requestId: redact(requestId, secrets, 100),
      retryAfter: retryAfter.parse(headers["retry-after"], yield* Clock.currentTimeMillis),
    }
  })
