/** Checks the two URLs of a sign-in: the authorization endpoint and the redirect URL. */
import * as Origin from "@vigil/core-http/Origin"
import * as Either from "effect/Either"

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

const unexposed = (url: URL): Either.Either<URL, Reason> =>
  Origin.isExposed(url) ? Either.left("exposed") : Either.right(url)

export const endpoint = (base: string, path: string): Either.Either<string, Reason> =>
  Origin.parseHttp(base).pipe(
    Either.filterOrLeft(
      ({ hash, search }) => search === "" && hash === "",
      (): Reason => "query",
    ),
    Either.flatMap(unexposed),
    Either.map((url) => Origin.append(url, path)),
  )

/** Checks a redirect URL: absolute, without a fragment (RFC 6749, 3.1.2). */
export const redirect = (text: string): Either.Either<string, Reason> => {
  if (text.includes("#")) return Either.left("fragment")
  return Origin.parseHttp(text).pipe(
    Either.filterOrLeft(
      () => uri.test(text),
      (): Reason => "malformed",
    ),
    Either.flatMap(unexposed),
    Either.map(() => text),
  )
}
