/** The texts of error responses in errors, without secrets of the request. */
import { describe, expect, it } from "@effect/vitest"
import { Credential, RetryPolicy, type ServiceClient } from "@vigil/core-http"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { clientOf, fake, get, outcome } from "./fake.js"

const badRequest = (body: string | ReadableStream, headers: Record<string, string> = {}) =>
  new Response(body, { status: 400, headers })

/** The error of a GET, and the time when it was raised. */
const failure = (response: Response, options: Partial<ServiceClient.Options> = {}, path = "/thing") =>
  Effect.gen(function* () {
    const service = yield* clientOf(
      fake(() => response),
      { retry: RetryPolicy.none, ...options },
    )
    const { at, error } = yield* outcome(get(service, path))
    return { at, error: error?._tag === "ServiceError" ? error : undefined }
  })

/** The `detail` of an error response with a message. */
const detailOf = (message: string, options: Partial<ServiceClient.Options> = {}, path = "/thing") =>
  Effect.map(failure(badRequest(JSON.stringify({ message })), options, path), ({ error }) => error?.detail)

describe("the texts of an error response", () => {
  it.effect("are kept unchanged if the request contained no secret", () =>
    Effect.gen(function* () {
      expect(yield* detailOf("Not like this.")).toBe("Not like this.")
      expect(yield* detailOf("Not like this.", {}, "/thing?api-version=2025-05-01")).toBe("Not like this.")
    }),
  )

  it.effect("are undefined if they are empty", () =>
    Effect.gen(function* () {
      const { error } = yield* failure(badRequest(`{"code":"","message":""}`, { "x-request-id": "" }))
      expect(error).toMatchObject({ code: undefined, detail: undefined, requestId: undefined })
      expect(error?.message).toBe("Thing.get: the thing service responded 400. Check the request.")
    }),
  )

  it.effect("are cut: the code to 100 characters, the message to 500", () =>
    Effect.gen(function* () {
      const body = JSON.stringify({ code: "c".repeat(101), message: "m".repeat(501) })
      const { error } = yield* failure(badRequest(body, { "x-request-id": "r".repeat(101) }))
      expect(error?.code).toBe(`${"c".repeat(100)}…`)
      expect(error?.detail).toBe(`${"m".repeat(500)}…`)
      expect(error?.requestId).toBe(`${"r".repeat(100)}…`)
    }),
  )

  it.effect("are ignored if the body takes too long", () =>
    Effect.gen(function* () {
      const { at, error } = yield* failure(badRequest(new ReadableStream()))
      expect(error).toMatchObject({ status: 400, detail: undefined })
      expect(at).toBe(2_000)
    }),
  )

  it.effect.each(["x-ms-request-id", "x-request-id", "request-id"])("include the request ID in %s", (name) =>
    Effect.gen(function* () {
      const { error } = yield* failure(badRequest("", { [name]: "r-1" }))
      expect(error?.requestId).toBe("r-1")
      expect(error?.message).toMatch(/ Request ID: r-1\.$/)
    }),
  )
})

describe("a secret that the message repeats", () => {
  it.effect("is redacted with and without its scheme", () =>
    Effect.gen(function* () {
      const credential = Credential.bearer(Redacted.make("tok-123"))
      expect(yield* detailOf("It was Bearer tok-123, that is tok-123.", { credential })).toBe(
        "It was <redacted>, that is <redacted>.",
      )
    }),
  )

  it.effect("is redacted with special characters, but similar text is not", () =>
    Effect.gen(function* () {
      const credential = Credential.header("x-key", Redacted.make("a.b+c(d)[e]{f}|g^h$i?j*k\\l"))
      const message = "a.b+c(d)[e]{f}|g^h$i?j*k\\l or a.b+c(d)[e]{f}|g^h$i?j*k\\m, or g"
      expect(yield* detailOf(message, { credential })).toBe("<redacted> or a.b+c(d)[e]{f}|g^h$i?j*k\\m, or g")
    }),
  )

  it.effect("is redacted completely if it starts with another secret", () =>
    Effect.gen(function* () {
      const credential = Credential.header("x-key", Redacted.make("abcdefgh"))
      expect(yield* detailOf("abcdefgh, abcd", { credential }, "/thing?$skipToken=abcd")).toBe("<redacted>, <redacted>")
    }),
  )

  it.effect.each(["?$skipToken=tok%2Fen-77", "?a=1&%24SKIPTOKEN=tok%2Fen-77"])(
    "can be the paging token of the request, in any encoding: %s",
    (query) =>
      Effect.gen(function* () {
        for (const text of ["tok/en-77", "tok%2Fen-77", "%74ok/en-77", btoa("tok/en-77"), `/thing${query}`])
          expect(yield* detailOf(`Not ${text}`, {}, `/thing${query}`)).toMatch(/^(Not .*)?<redacted>$/)
      }),
  )

  it.effect("is never an ordinary word of the query", () =>
    Effect.gen(function* () {
      const message = "No group beta in the app shop"
      expect(yield* detailOf(message, {}, "/thing?group=beta&app=shop&a=No&b=")).toBe(message)
    }),
  )

  it.effect.each([
    ["/list?$skipToken=abc&$top=1", "/list?$skipToken=<redacted>&$top=1"],
    ["see '/list?$SKIPTOKEN=a/b==' again", "see '/list?$skipToken=<redacted>' again"],
    ["%24skipToken=abc%26d", "$skipToken=<redacted>"],
  ] as const)("can be any paging token: %s", ([message, expected]) =>
    Effect.gen(function* () {
      expect(yield* detailOf(message)).toBe(expected)
    }),
  )
})
