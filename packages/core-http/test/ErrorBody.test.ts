import { ErrorBody } from "@vigil/core-http"
import { expect, it } from "vitest"

it.each<readonly [unknown, (string | undefined)?, string?]>([
  [{ message: "No.", statusCode: 401, code: "Unauthorized" }, "Unauthorized", "No."],
  [{ error: { code: "RateLimitExceeded", message: "Wait." } }, "RateLimitExceeded", "Wait."],
  [{ error: { code: 404, message: "None." } }, "404", "None."],
  [{ error: "invalid_token", code: "c", message: "words" }, "c", "words"],
  // OAuth
  [{ error: "invalid_token", error_description: "It has expired." }, "invalid_token", "It has expired."],
  [{ error: "It went wrong." }, undefined, "It went wrong."],
  // Problem details
  [{ type: "about:blank", title: "Forbidden", status: 403, detail: "No role." }, undefined, "No role."],
  [{ title: "Forbidden", detail: [] }, undefined, "Forbidden"],
  // OData
  [{ error: { code: "", message: { lang: "en", value: "No." } } }, undefined, "No."],
  [{ "odata.error": { code: "C", message: { value: "No." } } }, "C", "No."],
  [{ message: "No." }, undefined, "No."],
  [{ error: null, code: 7 }, "7"],
  ["Slow down.", undefined, "Slow down."],
  [" <html>No.</html>"],
  [" "],
  [[]],
  [null],
])("fromBody reads %j", (body, code, message) => {
  expect({ code: undefined, message: undefined, ...ErrorBody.fromBody(body) }).toEqual({ code, message })
})

it.each<readonly [unknown, ErrorBody.ErrorBody?]>([
  [
    { value: [], error: { code: "Busy", message: "Wait." } },
    { code: "Busy", message: "Wait." },
  ],
  [{ error: true }, { code: undefined, message: undefined }],
  [
    { code: "Busy", message: "Wait." },
    { code: "Busy", message: "Wait." },
  ],
  [
    { status: 403, title: "Forbidden" },
    { code: undefined, message: "Forbidden" },
  ],
  [
    { statusCode: "401", message: "No." },
    { code: undefined, message: "No." },
  ],
  [{ value: [], error: null }],
  [{ error: "", status: 200, message: "Removed." }],
  [{ code: "EUR", name: "Euro" }],
  [{ title: "A book" }],
  ["Busy"],
  [undefined],
])("inSuccess reads %j", (body, error) => {
  expect(ErrorBody.inSuccess(body)).toEqual(error)
})
