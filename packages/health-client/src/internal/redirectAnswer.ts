/** What an authorization server adds to the URL that it redirects to. */
import * as Either from "effect/Either"
import * as Encoding from "effect/Encoding"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"

/** The fragment of a URL, or a text that is a fragment itself. A URL has a scheme, a path or a query before its first parameter. */
const fragmentOf = (text: string): string => {
  const hash = text.indexOf("#")
  if (hash >= 0) return text.slice(hash + 1)
  return /^[^=&]*[:/?]/.test(text) ? "" : text
}

/** Reads the parameters in a fragment, or in the fragment of a URL (RFC 6749, 4.2.2). */
export const read = (text: string) => {
  const parameters = new URLSearchParams(fragmentOf(text))
  const names = [...parameters.keys()]
  return {
    /** Returns a parameter. An empty one is absent (RFC 6749, 3.1). */
    get: (name: string): string | undefined => parameters.get(name) || undefined,
    isEmpty: names.length === 0,
    /** Returns whether a parameter, or any of them, is repeated, which RFC 6749, 3.1 forbids. */
    isRepeated: (name?: string): boolean =>
      name === undefined ? new Set(names).size < names.length : parameters.getAll(name).length > 1,
  }
}

/** Whether two texts are equal, in constant time for texts of the same length. */
export const isSame = (one: string, other: string): boolean => {
  let difference = one.length ^ other.length
  for (let at = 0; at < one.length; at++) difference |= one.charCodeAt(at) ^ other.charCodeAt(at)
  return difference === 0
}

const decode = Schema.decodeUnknownOption(Schema.parseJson(Schema.Struct({ nonce: Schema.String })))

/** The nonce in an ID token, if it can be read (OpenID Connect Core, 3.2.2.11). Does not check the signature. */
export const nonceOf = (token: string): Option.Option<string> => {
  const [, payload = ""] = token.split(".")
  return Option.map(
    Option.flatMap(Either.getRight(Encoding.decodeBase64UrlString(payload)), decode),
    ({ nonce }) => nonce,
  )
}
