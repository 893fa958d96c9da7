/** URLs and origins, compared by the URL parser, never as text. */
import * as Result from "effect/Result"
import { InvalidSetting } from "./SettingsError.js"

const loopback = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/

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
  const url = URL.parse(text, base?.href)
  if (url === null) return Result.fail("malformed")
  if (!isHttp(url)) return Result.fail("scheme")
  return url.username !== "" || url.password !== "" ? Result.fail("userinfo") : Result.succeed(url)
}

/**
 * Appends a path such as `/api/v2` to a URL. Removes trailing slashes, the query and the fragment of the URL.
 * @category conversions @since 0.1.0
 */
export const append = ({ origin, pathname }: URL, path: string): string =>
  origin + pathname.replace(/(?<!\/)\/+$/, "") + path

/**
 * Parses the base URL of a service: http or https, without a user name, a password, a query and a fragment. Fails with `InvalidSetting`.
 * @category parsing @since 0.1.0
 */
export const parseBase = (text: string, setting = "baseUrl"): Result.Result<URL, InvalidSetting> =>
  parseSetting(
    text,
    setting,
    "a URL such as https://service.example, without a user name, a password, a query and a fragment",
    ({ hash, search }) => search === "" && hash === "",
  )

/**
 * Parses a URL that receives secrets: HTTPS, or HTTP on this machine, without a user name, a password and a fragment. Fails with `InvalidSetting`.
 * @category parsing @since 0.2.0
 */
export const parseSecure = (text: string, setting = "url"): Result.Result<URL, InvalidSetting> =>
  parseSetting(
    text,
    setting,
    "an HTTPS URL without a user name, a password and a fragment",
    (url) => !text.includes("#") && !isExposed(url),
  )

const parseSetting = (
  text: string,
  setting: string,
  expected: string,
  isValid: (url: URL) => boolean,
): Result.Result<URL, InvalidSetting> => {
  const url = parseHttp(text)
  return Result.isSuccess(url) && isValid(url.success)
    ? Result.succeed(url.success)
    : Result.fail(new InvalidSetting({ setting, expected }))
}
