/** What a service says about an answer that says no, as its error tells it: in its own words, without what it was told in secret. */
import { describe, expect, it } from "@effect/vitest"
import { Credential, RetryPolicy, type ServiceClient } from "@vigil/core-http"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import * as Redacted from "effect/Redacted"
import { clientOf, fake, get, outcome } from "./fake.js"

const refusal = (body: string | ReadableStream, headers: Record<string, string> = {}) =>
  new Response(body, { status: 400, headers })

/** The error of a GET that is answered so, and when it came. */
const failure = (answer: Response, options: Partial<ServiceClient.Options> = {}, path = "/thing") =>
  Effect.gen(function* () {
    const service = yield* clientOf(
      fake(() => answer),
      { retry: RetryPolicy.none, ...options },
    )
    const { at, error } = yield* outcome(get(service, path))
    return { at, error: error?._tag === "ServiceError" ? error : undefined }
  })

/** What becomes of a message to one who sent this. */
const told = (message: string, options: Partial<ServiceClient.Options> = {}, path = "/thing") =>
  Effect.map(failure(refusal(JSON.stringify({ message })), options, path), ({ error }) => error?.detail)

describe("the service's words", () => {
  it.scoped("are told as they are to one who sent no secret", () =>
    Effect.gen(function* () {
      expect(yield* told("Not like this.")).toBe("Not like this.")
      expect(yield* told("Not like this.", {}, "/thing?api-version=2025-05-01")).toBe("Not like this.")
    }),
  )

  it.scoped("are none where they are empty", () =>
    Effect.gen(function* () {
      const { error } = yield* failure(refusal(`{"code":"","message":""}`, { "x-request-id": "" }))
      expect(error).toMatchObject({ code: undefined, detail: undefined, requestId: undefined })
      expect(error?.message).toBe("Thing.get: the thing service responded 400. Check the request.")
    }),
  )

  it.scoped.each([["<html>"], ["[]"], ["null"], [`"text"`], [""]] as const)(
    "are none in a body of another kind: %j",
    ([body]) =>
      Effect.gen(function* () {
        const { error } = yield* failure(refusal(body))
        expect(error).toMatchObject({ status: 400, code: undefined, detail: undefined })
      }),
  )

  it.scoped("are read by the function that the client has been given", () =>
    Effect.gen(function* () {
      const errorBody = (json: unknown) => ({
        code: "Fault",
        message: Predicate.hasProperty(json, "fault") ? String(json.fault) : "",
      })
      const service = yield* clientOf(
        fake(() => refusal(`{"fault":"No gas","message":"other words"}`)),
        { errorBody },
      )
      expect((yield* outcome(get(service))).error).toMatchObject({ code: "Fault", detail: "No gas" })
    }),
  )

  it.scoped("are cut: the code to 100 characters, the rest to 500", () =>
    Effect.gen(function* () {
      const body = JSON.stringify({ code: "c".repeat(101), message: "m".repeat(501) })
      const { error } = yield* failure(refusal(body, { "x-request-id": "r".repeat(101) }))
      expect(error?.code).toBe(`${"c".repeat(100)}…`)
      expect(error?.detail).toBe(`${"m".repeat(500)}…`)
      expect(error?.requestId).toBe(`${"r".repeat(100)}…`)
    }),
  )

  it.scoped("are not waited for: the status alone says enough", () =>
    Effect.gen(function* () {
      const { at, error } = yield* failure(refusal(new ReadableStream()))
      expect(error).toMatchObject({ status: 400, detail: undefined })
      expect(at).toBe(2_000)
    }),
  )

  it.scoped.each(["x-ms-request-id", "x-request-id", "request-id"])("come with the id in %s", (name) =>
    Effect.gen(function* () {
      const { error } = yield* failure(refusal("", { [name]: "r-1" }))
      expect(error?.requestId).toBe("r-1")
      expect(error?.message).toMatch(/ Request ID: r-1\.$/)
    }),
  )
})

describe("a secret that the service repeats", () => {
  it.scoped("is hidden with its scheme, and without", () =>
    Effect.gen(function* () {
      const credential = Credential.bearer(Redacted.make("tok-123"))
      expect(yield* told("It was Bearer tok-123, that is tok-123.", { credential })).toBe(
        "It was <redacted>, that is <redacted>.",
      )
    }),
  )

  it.scoped("is hidden however far from its scheme", () =>
    Effect.gen(function* () {
      const credential = Credential.header("authorization", Redacted.make("Token   tok-123"))
      expect(yield* told("It was tok-123.", { credential })).toBe("It was <redacted>.")
    }),
  )

  it.scoped("is hidden whatever it is written with, and nothing like it is", () =>
    Effect.gen(function* () {
      const credential = Credential.header("x-key", Redacted.make("a.b+c(d)[e]{f}|g^h$i?j*k\\l"))
      const message = "a.b+c(d)[e]{f}|g^h$i?j*k\\l or a.b+c(d)[e]{f}|g^h$i?j*k\\m, or g"
      expect(yield* told(message, { credential })).toBe("<redacted> or a.b+c(d)[e]{f}|g^h$i?j*k\\m, or g")
    }),
  )

  it.scoped("is hidden where it is percent-encoded", () =>
    Effect.gen(function* () {
      const credential = Credential.header("x-key", Redacted.make("a/b=c"))
      expect(yield* told("See ?key=a%2Fb%3Dc.", { credential })).toBe("See ?key=<redacted>.")
    }),
  )

  it.scoped.each([
    ["/thing?a=abcd&b=abcdefgh"],
    ["/thing?b=abcdefgh&a=abcd"],
    ["/thing?a=abcd&b=abcdefgh&c=abcdef"],
    ["/thing?c=abcdef&b=abcdefgh&a=abcd"],
  ])("is hidden whole where another one begins it: %s", ([path]) =>
    Effect.gen(function* () {
      expect(yield* told("abcdefgh, abcd", {}, path)).toBe("<redacted>, <redacted>")
    }),
  )

  it.scoped("is what the query says, but for what is open, too short to let anybody in, or not there", () =>
    Effect.gen(function* () {
      const path = "/thing?api-version=2025&a=the&b=&c=door"
      expect(yield* told("2025: the door", {}, path)).toBe("2025: the <redacted>")
    }),
  )

  it.scoped.each([
    ["/list?$skipToken=abc&$top=1", "/list?$skipToken=<redacted>&$top=1"],
    ["see '/list?$SKIPTOKEN=a/b==' again", "see '/list?$skipToken=<redacted>' again"],
    ["%24skipToken=abc%26d", "$skipToken=<redacted>"],
  ] as const)("is its paging token, too, whoever has sent it: %s", ([message, expected]) =>
    Effect.gen(function* () {
      expect(yield* told(message)).toBe(expected)
    }),
  )
})
