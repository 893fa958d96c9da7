/** URLs and origins, compared by the URL parser, never as text. */
import * as Result from "effect/Result"
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
export const parseHttp = (text: string, base?: URL): Result.Result<URL, "malformed" | "scheme" | "userinfo"> => {
  const url = parseUrl(text, base)
  if (url === undefined) return Result.fail("malformed")
  if (!isHttp(url)) return Result.fail("scheme")
  return url.username !== "" || url.password !== "" ? Result.fail("userinfo") : Result.succeed(url)
}

/**
 * Appends a path such as `/api/v2` to a URL. Removes trailing slashes, the query and the fragment of the URL.
 * @category combinators @since 0.1.0
 */
export const append = ({ origin, pathname }: URL, path: string): string =>
  origin + pathname.replace(/(?<!\/)\/+$/, "") + path

const parse = (text: string, option: InvalidBaseUrl["option"]): Result.Result<URL, InvalidBaseUrl> => {
  const refuse = (reason: InvalidBaseUrl["reason"]) => Result.fail(new InvalidBaseUrl({ option, reason }))
  const url = parseHttp(text)
  if (Result.isFailure(url)) return refuse(url.failure)
  const { hash, pathname, search } = url.success
  if (search !== "" || hash !== "") return refuse("query")
  return option === "trustedOrigins" && pathname !== "/" ? refuse("path") : Result.succeed(url.success)
}

/**
 * Parses the base URL of a service: http or https, without user name, password, query and fragment. Fails with `InvalidBaseUrl`.
 * @category parsing @since 0.1.0
 */
export const parseBase = (text: string): Result.Result<URL, InvalidBaseUrl> => parse(text, "baseUrl")

/** Parses a trusted origin: a base URL without a path. Fails with `InvalidBaseUrl`. @category parsing @since 0.1.0 */
export const parseTrusted = (text: string): Result.Result<URL, InvalidBaseUrl> => parse(text, "trustedOrigins")
