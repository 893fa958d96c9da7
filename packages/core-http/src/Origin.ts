/** Where a service is: decided by the URL parser, never by comparing text. */
import * as Either from "effect/Either"
import { InvalidBaseUrl } from "./SettingsError.js"

const loopback = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/

/**
 * The address that a text is, by the URL standard; `undefined` when it is none. (`URL.canParse` is not asked: in Node 20 it
 * begins to refuse hosts that are not ASCII, once it has been called some thousand times.)
 *
 * @category parsing
 * @since 0.1.0
 */
export const parseUrl = (text: string, base?: URL): URL | undefined => {
  try {
    return new URL(text, base)
  } catch {
    return undefined
  }
}

/**
 * Whether an address is http or https.
 *
 * @category guards
 * @since 0.1.0
 */
export const isHttp = (url: URL): boolean => url.protocol === "http:" || url.protocol === "https:"

/**
 * Whether bytes sent to this address stay on this machine, by its name alone: `localhost`, `127.0.0.0/8` or `::1`.
 *
 * @category guards
 * @since 0.1.0
 */
export const isLoopback = (url: URL): boolean => loopback.test(url.hostname)

/**
 * Whether what is sent to this address can be read on its way: plain http to another machine.
 *
 * @category guards
 * @since 0.1.0
 */
export const isExposed = (url: URL): boolean => url.protocol === "http:" && !isLoopback(url)

const parse = (text: string, option: InvalidBaseUrl["option"]): Either.Either<URL, InvalidBaseUrl> => {
  const refuse = (reason: InvalidBaseUrl["reason"]) => Either.left(new InvalidBaseUrl({ option, reason }))
  const url = parseUrl(text)
  if (url === undefined) return refuse("malformed")
  if (!isHttp(url)) return refuse("scheme")
  if (url.username !== "" || url.password !== "") return refuse("userinfo")
  if (url.search !== "" || url.hash !== "") return refuse("query")
  if (option === "trustedOrigins" && url.pathname !== "/") return refuse("path")
  return Either.right(url)
}

/**
 * Reads the base address of a service: http or https, without user, query or fragment. Fails with
 * `InvalidBaseUrl`.
 *
 * @category parsing
 * @since 0.1.0
 */
export const parseBase = (text: string): Either.Either<URL, InvalidBaseUrl> => parse(text, "baseUrl")

/**
 * Reads an origin that is trusted like the service's own: a base address without a path. Fails with `InvalidBaseUrl`.
 *
 * @category parsing
 * @since 0.1.0
 */
export const parseTrusted = (text: string): Either.Either<URL, InvalidBaseUrl> => parse(text, "trustedOrigins")
