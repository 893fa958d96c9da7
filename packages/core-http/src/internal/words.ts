/** The service's words about an answer that says no, made fit to be shown. */
import type * as HttpClientResponse from "@effect/platform/HttpClientResponse"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { ErrorBody } from "../ErrorBody.js"
import * as PlainText from "../PlainText.js"
import type { Answer } from "../ServiceError.js"
import * as body from "./body.js"
import * as retryAfter from "./retryAfter.js"

/** Of an error's body, no more than this is read, in bytes. */
const maxBytes = 64 * 1024

/** Nor is it waited for longer than this: the status alone says enough. */
const patience = "2 seconds"

const requestIdHeaders = ["x-ms-request-id", "x-request-id", "request-id"]

/** A paging token is a secret of the service's: whoever has it reads the list. */
const skipToken = /(\$|%24)skipToken=[^&\s"']*/gi

/** A text as the regular expression of itself. */
const literal = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&")

/** The text without the secrets, on one line, and no longer than `length`. */
const clean = (text: string | null | undefined, secrets: ReadonlyArray<string>, length: number): string | undefined => {
  if (text === null || text === undefined || text === "") return undefined
  const hidden = new Set(secrets.flatMap((secret) => [secret, encodeURIComponent(secret)]))
  // All of them at once, the longest first, so that nothing is looked for in what was hidden.
  const forms = [...hidden].filter((secret) => secret !== "").toSorted((a, b) => b.length - a.length)
  const bare = forms.length === 0 ? text : text.replaceAll(new RegExp(forms.map(literal).join("|"), "g"), "<redacted>")
  return PlainText.line(bare.replaceAll(skipToken, "$skipToken=<redacted>"), length)
}

const parse = Option.liftThrowable((text: string): unknown => JSON.parse(text))

/**
 * What is known of the answer. `read` makes the service's words of its JSON; `secrets` are the texts that were sent with
 * the request and must not come back with its error.
 */
export const read = (
  operation: string,
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
      operation,
      status,
      code: clean(words?.code, secrets, 100),
      detail: clean(words?.message, secrets, 500),
      requestId: clean(requestId, secrets, 100),
      retryAfter: retryAfter.parse(headers["retry-after"], yield* Clock.currentTimeMillis),
    }
  })
