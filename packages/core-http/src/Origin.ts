/** URLs and origins, compared by the URL parser, never as text. */
import * as Either from "effect/Either"
import { InvalidBaseUrl } from "./SettingsError.js"

const loopback = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/

/** Parses a URL, relative to `base` if given. Returns `undefined` if it is invalid. @category parsing @since 0.1.0 */
export const parseUrl = (text: string, base?: URL): URL | undefined => {
  // Not `URL.canParse`: after some thousand calls, that of Node 20 rejects hosts that are not ASCII.
  try {
    return new URL(text, base)
  } catch {
    return undefined
  }
}

/** Whether a URL is http or https. @category guards @since 0.1.0 */
export const isHttp = (url: URL): boolean => url.protocol === "http:" || url.protocol === "https:"

/**
 * Whether others can read requests to a URL: plain HTTP to another host than `localhost`, `127.0.0.0/8` or `::1`.
 * @category guards @since 0.1.0
 */
export const isExposed = (url: URL): boolean => url.protocol === "http:" && !loopback.test(url.hostname)

/**
 * Parses an http or https URL without a user name and password, relative to `base` if given. Fails with the reason if it is invalid.
 * @category parsing @since 0.1.0
 */
export const parseHttp = (text: string, base?: URL): Either.Either<URL, "malformed" | "scheme" | "userinfo"> => {
  const url = parseUrl(text, base)
  if (url === undefined) return Either.left("malformed")
  if (!isHttp(url)) return Either.left("scheme")
  return url.username !== "" || url.password !== "" ? Either.left("userinfo") : Either.right(url)
}

/**
 * Appends a path such as `/api/v2` to a URL. Removes trailing slashes, the query and the fragment of the URL.
 * @category combinators @since 0.1.0
 */
export const append = ({ origin, pathname }: URL, path: string): string =>
  origin + pathname.replace(/(?<!\/)\/+$/, "") + path

const parse = (text: string, option: InvalidBaseUrl["option"]): Either.Either<URL, InvalidBaseUrl> => {
  const refuse = (reason: InvalidBaseUrl["reason"]) => Either.left(new InvalidBaseUrl({ option, reason }))
  const url = parseHttp(text)
  if (Either.isLeft(url)) return refuse(url.left)
  const { hash, pathname, search } = url.right
  if (search !== "" || hash !== "") return refuse("query")
  return option === "trustedOrigins" && pathname !== "/" ? refuse("path") : Either.right(url.right)
}

/**
 * Parses the base URL of a service: http or https, without user name, password, query and fragment. Fails with `InvalidBaseUrl`.
 * @category parsing @since 0.1.0
 */
export const parseBase = (text: string): Either.Either<URL, InvalidBaseUrl> => parse(text, "baseUrl")

/** Parses a trusted origin: a base URL without a path. Fails with `InvalidBaseUrl`. @category parsing @since 0.1.0 */
export const parseTrusted = (text: string): Either.Either<URL, InvalidBaseUrl> => parse(text, "trustedOrigins")
