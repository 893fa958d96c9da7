/** What errors say: what was tried, what happened, and what to do, whatever the reason. */
import { HttpError, ServiceError } from "@vigil/core-http"
import * as Duration from "effect/Duration"
import * as Option from "effect/Option"
import { describe, expect, it } from "vitest"

const operation = "Thing.get"
const origin = "https://service.example"
const target = "https://elsewhere.example"

describe("a TransportError", () => {
  const message = (code: string | undefined) => new HttpError.TransportError({ operation, origin, code }).message

  it("says what was asked for, where nobody answered, and what to look at", () => {
    expect(message("ECONNREFUSED")).toBe(
      "Thing.get: no answer from https://service.example: the connection was refused (ECONNREFUSED). Check the address, the network, and that the service runs.",
    )
  })

  it.each([
    ["ECONNRESET", "reset"],
    ["EPIPE", "closed"],
    ["ENOTFOUND", "the host is unknown"],
    ["EAI_AGAIN", "name could not be looked up"],
    ["UND_ERR_SOCKET", "closed"],
    ["HPE_INVALID_CONSTANT", "does not speak HTTP"],
    ["CERT_HAS_EXPIRED", "certificate has expired"],
    ["DEPTH_ZERO_SELF_SIGNED_CERT", "certificate is signed by nobody that is trusted"],
    ["SELF_SIGNED_CERT_IN_CHAIN", "certificate is signed by nobody that is trusted"],
    ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", "certificate is signed by nobody that is trusted"],
    ["ERR_TLS_CERT_ALTNAME_INVALID", "certificate is for another host"],
  ])("explains the system's %s, and keeps it: %s", (code, words) => {
    expect(message(code)).toContain(words)
    expect(message(code)).toContain(` (${code}). `)
  })

  it("gives a code that it does not know as it is", () => {
    expect(message("EHOSTUNREACH")).toContain("no answer from https://service.example: EHOSTUNREACH. Check")
  })

  it("says that the connection failed where that is all that is known", () => {
    expect(message(undefined)).toContain("no answer from https://service.example: the connection failed. Check")
  })
})

describe("a TimeoutError", () => {
  const after = Duration.seconds(90)

  it("says how long one attempt was waited for", () => {
    expect(new HttpError.TimeoutError({ operation, origin, scope: "attempt", after }).message).toBe(
      "Thing.get: no whole answer from https://service.example within 1m 30s. Try again, or allow more time.",
    )
  })

  it("says of a whole request that its attempts and waits are counted, and what came before", () => {
    expect(
      new HttpError.TimeoutError({ operation, origin, scope: "total", after, before: "It was busy." }).message,
    ).toBe(
      "Thing.get: no whole answer from https://service.example within 1m 30s, all its attempts and the waits between them included. Try again, or allow more time. Before that: It was busy.",
    )
  })
})

describe("a BodyTooLarge", () => {
  it("names the limit, and the setting that raises it", () => {
    expect(new HttpError.BodyTooLarge({ operation, limit: 1_024 }).message).toMatch(
      /^Thing\.get: the answer is larger than 1024 bytes.*\. Raise maxBodyBytes/,
    )
  })
})

describe("a DecodeError", () => {
  it.each([
    ["value.3.id", ": value.3.id is missing. "],
    ["", ": it is missing. "],
  ])("names the place %j in the answer", (path, words) => {
    const { message } = new HttpError.DecodeError({ operation, path, reason: "is missing" })
    expect(message).toContain(`Thing.get: the answer is not what the contract says${words}Check that the base address`)
  })
})

describe("a RedirectRefused", () => {
  type Reason = HttpError.RedirectRefused["reason"]
  const message = (reason: Reason, to?: string) =>
    new HttpError.RedirectRefused({ operation, reason, origin, target: to }).message

  const reasons: { readonly [_ in Reason]: string } = {
    origin: "redirects to another origin",
    malformed: "redirects to what is no address",
    scheme: "redirects to what is neither http nor https",
    userinfo: "redirects to an address with a user or a password",
    limit: "redirects too often",
    method: "redirects a request that changes something",
    opaque: "redirects to an address that the browser does not tell",
  }

  it.each(Object.entries(reasons) as ReadonlyArray<[Reason, string]>)(
    "(%s) says that the service %s",
    (reason, words) => {
      expect(message(reason)).toBe(
        `Thing.get: https://service.example ${words}, and was not followed. If the service has moved, set its new base address.`,
      )
    },
  )

  it("names the origin that it leads to, where that is another one", () => {
    expect(message("origin", target)).toContain("to another origin (https://elsewhere.example), and was not followed.")
    expect(message("method", origin)).toContain("a request that changes something, and was not followed.")
  })
})

describe("an InvalidBaseUrl", () => {
  type Reason = HttpError.InvalidBaseUrl["reason"]
  const reasons: { readonly [_ in Reason]: string } = {
    malformed: "is not a valid address",
    scheme: "is not http or https",
    userinfo: "holds a user or a password",
    query: "has a query or a fragment",
    path: "has a path",
  }

  it.each(Object.entries(reasons) as ReadonlyArray<[Reason, string]>)(
    "(%s) says that the address %s",
    (reason, words) => {
      expect(new HttpError.InvalidBaseUrl({ option: "baseUrl", reason }).message).toBe(
        `The base address ${words}. Give one such as https://service.example.`,
      )
      expect(new HttpError.InvalidBaseUrl({ option: "trustedOrigins", reason }).message).toContain(
        `A trusted origin ${words}. Give`,
      )
    },
  )
})

describe("an InvalidSetting", () => {
  it("names the setting, and what it must be", () => {
    expect(new HttpError.InvalidSetting({ setting: "concurrency", expected: "a number of 1 or more" }).message).toBe(
      "The setting concurrency is not a number of 1 or more. Set another one, or leave it out.",
    )
  })
})

describe("a LinkRefused", () => {
  type Reason = HttpError.LinkRefused["reason"]
  const reasons: { readonly [_ in Reason]: string } = {
    malformed: "is not a valid address",
    scheme: "is not http or https",
    userinfo: "holds a user or a password",
    origin: "leads to another origin",
  }

  it.each(Object.entries(reasons) as ReadonlyArray<[Reason, string]>)("(%s) says that the link %s", (reason, words) => {
    expect(new HttpError.LinkRefused({ operation, reason, origin }).message).toBe(
      `Thing.get: a link of the service ${words}, and was not followed. Report it to the service: what it lists is not complete.`,
    )
  })

  it("names the origin that it leads to, and the one that it should", () => {
    expect(new HttpError.LinkRefused({ operation, reason: "origin", origin, target }).message).toContain(
      "leads to another origin, https://elsewhere.example instead of https://service.example, and was not followed.",
    )
  })
})

describe("a CredentialError", () => {
  type Reason = HttpError.CredentialError["reason"]
  const reasons: { readonly [_ in Reason]: RegExp } = {
    exposed: /would be sent over plain http to another machine\. Use https\.$/,
    malformed: /holds a character that no header may carry, .*\. Check how it was stored\.$/,
    empty: /is empty\. Set it\.$/,
    name: /has a header name that is none\. Check how it was made\.$/,
    unavailable: /could not be had\. Sign in again, or check where it is kept\.$/,
    late: /was not handed out in time\. Check where it is kept\.$/,
  }

  it.each(Object.entries(reasons) as ReadonlyArray<[Reason, RegExp]>)(
    "(%s) says why, and what to do",
    (reason, words) => {
      const { message } = new HttpError.CredentialError({ reason, operation })
      expect(message).toMatch(/^Thing\.get: the credential /)
      expect(message).toMatch(words)
    },
  )

  it("names no operation where the client can't be made", () => {
    expect(new HttpError.CredentialError({ reason: "empty" }).message).toBe("The credential is empty. Set it.")
  })
})

describe("the error of an answer that says no", () => {
  const answer: ServiceError.Answer = {
    operation,
    status: 400,
    code: undefined,
    detail: undefined,
    requestId: undefined,
    retryAfter: Option.none(),
    repeated: false,
  }
  const message = (more: Partial<ServiceError.Answer>) => ServiceError.fromAnswer({ ...answer, ...more }).message

  it("tells the status, and with it all that the service said", () => {
    expect(message({})).toBe("Thing.get: the service answered 400. Check the request.")
    expect(message({ code: "Nope", detail: "Not like this", requestId: "r-1" })).toBe(
      "Thing.get: the service answered 400 Nope: Not like this. Check the request. Request id: r-1.",
    )
  })

  it("tells the status once, where the service's code is the same", () => {
    expect(message({ code: "400", detail: "No" })).toBe("Thing.get: the service answered 400: No. Check the request.")
  })

  it.each([["Not now."], ["Not now..."], ["Not now. \n"], ["Not now"]])(
    "ends the service's sentence once: %j",
    (detail) => {
      expect(message({ detail })).toContain("400: Not now. Check the request.")
    },
  )

  it("leaves the service's sentences before the last as they are", () => {
    expect(message({ detail: "No.. Not v1.2. Not now." })).toContain("400: No.. Not v1.2. Not now. Check")
  })

  it.each([
    [401, "sign in again"],
    [403, "Ask for the right"],
    [404, "Check the id and the base address"],
    [411, "Send a body"],
    [418, "Check the request"],
    [499, "Check the request"],
    [302, "Check the request"],
    [199, "Check the request"],
    [300, "Check the request"],
    [200, "No such success was expected: check what came of the request"],
    [202, "No such success was expected: check what came of the request"],
    [299, "No such success was expected: check what came of the request"],
    [500, "The service is in trouble: try again later"],
    [503, "The service is in trouble: try again later"],
  ])("%i says what to do: %s", (status, todo) => {
    expect(message({ status })).toContain(`the service answered ${status}. `)
    expect(message({ status })).toContain(todo)
  })

  it.each([
    [Option.none(), "Try again later."],
    [Option.some(Duration.seconds(90)), "Try again in 1m 30s."],
    [Option.some(Duration.zero), "Try again now."],
  ])("429 says when to try again: %j", (retryAfter, todo) => {
    expect(message({ status: 429, retryAfter })).toBe(`Thing.get: the service answered 429. ${todo}`)
  })
})
