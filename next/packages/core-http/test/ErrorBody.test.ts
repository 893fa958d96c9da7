import { ErrorBody } from "@vigil/core-http"
import { expect, it } from "vitest"

it.each([
  [
    { message: "No.", statusCode: 401, code: "Unauthorized" },
    { code: "Unauthorized", message: "No." },
  ],
  [{ error: { code: "RateLimitExceeded", message: "Wait." } }, { code: "RateLimitExceeded", message: "Wait." }],
  [{ error: { code: 404, message: "None." } }, { code: "404", message: "None." }],
  [
    { error: "invalid_token", code: "c", message: "words" },
    { code: "c", message: "words" },
  ],
  [{ message: "No." }, { message: "No." }],
  [
    { id: "1", code: "Not Found", message: "None." },
    { code: "Not Found", message: "None." },
  ],
  [{ error: null, code: 7 }, { code: "7" }],
  ["text", {}],
  [[], {}],
  [null, {}],
])("reads %j", (body, expected) => {
  expect(ErrorBody.fromJson(body)).toEqual(expected)
})
