/** The facts in error messages. That each message has the operation, the failure and advice is tested in errors.test.ts. */
import { HttpError, ServiceError, SettingsError } from "@vigil/core-http"
import * as Duration from "effect/Duration"
import * as Option from "effect/Option"
import { describe, expect, it } from "vitest"

const call = { service: "thing", operation: "Thing.get" }
const origin = "https://service.example"
const target = "https://elsewhere.example"

describe("the message of a request error", () => {
  const after = Duration.seconds(90)
  const errors = [
    new HttpError.TransportError({ ...call, origin, code: undefined }),
    new HttpError.TimeoutError({ ...call, origin, scope: "attempt", after }),
    new HttpError.BodyTooLarge({ ...call, limit: 1_024 }),
    new HttpError.DecodeError({ ...call, path: "a", reason: "is missing" }),
    new HttpError.RedirectRefused({ ...call, reason: "limit", origin, target: undefined }),
    new HttpError.LinkRefused({ ...call, reason: "origin", origin }),
    new HttpError.CredentialError({ ...call, reason: "empty" }),
  ]

  it.each(errors.map((error) => [error._tag, error] as const))("%s names the service and the operation", (_, error) => {
    expect(error.message).toMatch(/^Thing\.get: .*\bthing service\b/)
  })

  it("explains the system's code, and keeps it", () => {
    const message = (code: string | undefined) => new HttpError.TransportError({ ...call, origin, code }).message
    expect(message("ECONNREFUSED")).toContain("at https://service.example: the connection was refused (ECONNREFUSED).")
    expect(message("CERT_HAS_EXPIRED")).toContain("its certificate has expired (CERT_HAS_EXPIRED).")
    expect(message("EHOSTUNREACH")).toContain("at https://service.example: EHOSTUNREACH.")
    expect(message(undefined)).toContain("at https://service.example: the connection failed.")
  })

  it("gives the time of one attempt or of all, and the message of the attempt before", () => {
    const message = (scope: "attempt" | "total", before?: string) =>
      new HttpError.TimeoutError({ ...call, origin, scope, after, before }).message
    expect(message("attempt")).toContain("within 1m 30s.")
    expect(message("total", "It was busy.")).toMatch(/within 1m 30s, including all attempts .*: It was busy\.$/)
  })

  it("gives the limit and the option that raises it", () => {
    expect(new HttpError.BodyTooLarge({ ...call, limit: 1_024 }).message).toMatch(/1024 bytes.*maxBodyBytes/)
  })

  it("names the invalid place, or the body as a whole", () => {
    const message = (path: string) => new HttpError.DecodeError({ ...call, path, reason: "is missing" }).message
    expect(message("value.3.id")).toContain("is invalid: value.3.id is missing.")
    expect(message("")).toContain("is invalid: the body is missing.")
  })

  it("names the target of a redirect or a link if it is another origin", () => {
    const redirect = (to: string | undefined) =>
      new HttpError.RedirectRefused({ ...call, reason: "origin", origin, target: to }).message
    expect(redirect(target)).toContain("redirects to another origin (https://elsewhere.example).")
    expect(redirect(origin)).toContain("redirects to another origin.")
    const link = new HttpError.LinkRefused({ ...call, reason: "origin", origin, target })
    expect(link.message).toContain("https://elsewhere.example instead of https://service.example")
  })

  it("names the error that the credential failed with", () => {
    const cause = Object.assign(new Error("withheld"), { name: "VaultError" })
    const { message } = new HttpError.CredentialError({ ...call, reason: "unavailable", cause })
    expect(message).toContain("thing service could not be fetched: VaultError. ")
  })
})

describe("the message of an error of a client's options", () => {
  it("names the option and what it must be", () => {
    expect(new SettingsError.InvalidBaseUrl({ option: "baseUrl", reason: "scheme" }).message).toContain(
      "The base URL is not http or https.",
    )
    expect(new SettingsError.InvalidBaseUrl({ option: "trustedOrigins", reason: "path" }).message).toContain(
      "A trusted origin has a path.",
    )
    const invalid = new SettingsError.InvalidSetting({ setting: "concurrency", expected: "a number of 1 or more" })
    expect(invalid.message).toContain("The option concurrency is not a number of 1 or more.")
  })

  it("names no operation if the credential makes it impossible", () => {
    const error = new HttpError.CredentialError({ service: "thing", operation: undefined, reason: "exposed" })
    expect(error.message).toMatch(/^The credential for the thing service /)
  })

  it("is not retryable", () => {
    expect(new SettingsError.InvalidBaseUrl({ option: "baseUrl", reason: "scheme" }).retryable).toBe(false)
    expect(new SettingsError.InvalidSetting({ setting: "timeout", expected: "a time" }).retryable).toBe(false)
  })
})

describe("the message of an error response", () => {
  const answer: ServiceError.Answer = {
    ...call,
    status: 400,
    code: undefined,
    detail: undefined,
    requestId: undefined,
    retryAfter: Option.none(),
    repeated: false,
  }
  const message = (more: Partial<ServiceError.Answer>) => ServiceError.fromAnswer({ ...answer, ...more }).message

  it("has the service, the status code, and the code, message and request ID of the body", () => {
    expect(message({})).toBe("Thing.get: the thing service responded 400. Check the request.")
    expect(message({ code: "Nope", detail: "Not like this", requestId: "r-1" })).toBe(
      "Thing.get: the thing service responded 400 Nope: Not like this. Check the request. Request ID: r-1.",
    )
  })

  it("has the status code once if the code repeats it", () => {
    expect(message({ code: "400", detail: "No" })).toContain("responded 400: No. ")
  })

  it.each([["Not now."], ["Not now..."], ["Not now. \n"], ["Not now"]])("ends %j with one full stop", (detail) => {
    expect(message({ detail })).toContain("400: Not now. Check the request.")
  })

  it("keeps the sentences of the body before the last", () => {
    expect(message({ detail: "No.. Not v1.2. Not now." })).toContain("400: No.. Not v1.2. Not now. Check")
  })

  it.each([
    [401, "sign in again"],
    [403, "Ask for the permission"],
    [404, "Check the ID"],
    [411, "Send a body"],
    [418, "Check the request"],
    [302, "Check the request"],
    [199, "Check the request"],
    [300, "Check the request"],
    [200, "does not expect this success status"],
    [299, "does not expect this success status"],
    [500, "try again later"],
    [503, "try again later"],
  ])("advises on %i: %s", (status, advice) => {
    expect(message({ status })).toContain(`responded ${status}. `)
    expect(message({ status })).toContain(advice)
  })

  it("says when to try again after a 429, if the service names a time that is not over", () => {
    expect(message({ status: 429, retryAfter: Option.some(Duration.seconds(90)) })).toContain("Try again in 1m 30s.")
    expect(message({ status: 429, retryAfter: Option.some(Duration.zero) })).toContain("Try again later.")
    expect(message({ status: 429 })).toContain("Try again later.")
  })
})
