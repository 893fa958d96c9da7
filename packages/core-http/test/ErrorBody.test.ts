import { ErrorBody } from "@vigil/core-http"
import { expect, it } from "vitest"

it.each<readonly [unknown, (string | undefined)?, string?]>([
  [{ message: "No.", statusCode: 401, code: "Unauthorized" }, "Unauthorized", "No."],
  [{ error: { code: "RateLimitExceeded", message: "Wait." } }, "RateLimitExceeded", "Wait."],
  [{ error: { code: 404, message: "None." } }, "404", "None."],
  [{ error: "invalid_token", code: "c", message: "words" }, "c", "words"],
  [{ message: "No." }, undefined, "No."],
  [{ error: null, code: 7 }, "7"],
  ["text"],
  [[]],
  [null],
])("reads %j", (body, code, message) => {
  expect(ErrorBody.fromJson(body)).toEqual({ code, message })
})
