/** The JSON of a response, before it is decoded. */
import * as Either from "effect/Either"
import type { Issue } from "../Decoder.js"
import * as PlainText from "../PlainText.js"
import type { Request } from "../Request.js"
import { isDecompressed } from "./coding.js"
import type { Answer } from "./exchange.js"

/** Why a body is not JSON: some HTTP clients leave encodings such as Brotli to their user. */
const notJson = ({ encoding }: Answer): Issue => ({
  path: "",
  reason:
    encoding === undefined || isDecompressed(encoding)
      ? "is not JSON"
      : `is not JSON, or is encoded with ${JSON.stringify(PlainText.line(encoding, 40))}, which the HTTP client does not decode`,
})

/** The JSON of a body; `undefined` for an empty one, where the request allows that. */
export const parse = ({ method }: Request<unknown>, answer: Answer): Either.Either<unknown, Issue> =>
  answer.text === "" && (method !== "GET" || answer.status === 204 || answer.status === 205)
    ? Either.right(undefined)
    : Either.try({ try: () => JSON.parse(answer.text) as unknown, catch: () => notJson(answer) })
