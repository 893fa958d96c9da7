/** Checks the two URLs of a sign-in: the authorization endpoint and the redirect URL. */
import * as Origin from "@vigil/core-http/Origin"
import * as Result from "effect/Result"

export const reasons = {
  malformed: "is not a valid URL",
  scheme: "is not an HTTP or HTTPS URL",
  userinfo: "contains a user or a password",
  query: "has a query or a fragment",
  fragment: "has a fragment",
  exposed: "uses plain HTTP for another machine",
}

type Reason = keyof typeof reasons

/** The characters of a URL (RFC 3986, 2). A URL parser would change other characters, and the server compares the exact text. */
const uri = /^https?:\/\/[\w.~!$&'()*+,;=:@/?%[\]-]+$/i

const unexposed = (url: URL): Result.Result<URL, Reason> =>
  Origin.isExposed(url) ? Result.fail("exposed") : Result.succeed(url)

export const endpoint = (base: string, path: string): Result.Result<string, Reason> =>
  Origin.parseHttp(base).pipe(
    Result.filterOrFail(
      ({ hash, search }) => search === "" && hash === "",
      (): Reason => "query",
    ),
    Result.flatMap(unexposed),
    Result.map((url) => Origin.append(url, path)),
  )

/** Checks a redirect URL: absolute, without a fragment (RFC 6749, 3.1.2). */
export const redirect = (text: string): Result.Result<string, Reason> => {
  if (text.includes("#")) return Result.fail("fragment")
  return Origin.parseHttp(text).pipe(
    Result.filterOrFail(
      () => uri.test(text),
      (): Reason => "malformed",
    ),
    Result.flatMap(unexposed),
    Result.map(() => text),
  )
}
