/** Reads the authorization response in the fragment of a redirect URL. */
import * as Result from "effect/Result"
import * as Base64Url from "effect/encoding/Base64Url"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"

/** Accepts a URL, or the fragment alone. Unlike a fragment, a URL has `:`, `/` or `?` before its first parameter. */
const fragmentOf = (text: string): string => {
  const hash = text.indexOf("#")
  if (hash >= 0) return text.slice(hash + 1)
  return /^[^=&]*[:/?]/.test(text) ? "" : text
}

export const read = (text: string) => {
  const parameters = new URLSearchParams(fragmentOf(text))
  const names = [...parameters.keys()]
  return {
    /** An empty parameter is absent (RFC 6749, 3.1). */
    get: (name: string): string | undefined => parameters.get(name) || undefined,
    isEmpty: names.length === 0,
    /** Whether a parameter (default: any) is repeated, which RFC 6749, 3.1 forbids. */
    isRepeated: (name?: string): boolean =>
      name === undefined ? new Set(names).size < names.length : parameters.getAll(name).length > 1,
  }
}

/** Compares in constant time for texts of the same length. */
export const isSame = (a: string, b: string): boolean => {
  let difference = a.length ^ b.length
  for (let index = 0; index < a.length; index++) difference |= a.charCodeAt(index) ^ b.charCodeAt(index)
  return difference === 0
}

const decode = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.Struct({ nonce: Schema.String })))

/** Returns the nonce of an ID token (OpenID Connect Core, 3.2.2.11), without checking the signature. */
export const nonceOf = (token: string): Option.Option<string> => {
  const [, payload = ""] = token.split(".")
  return Option.map(Option.flatMap(Result.getSuccess(Base64Url.decodeString(payload)), decode), ({ nonce }) => nonce)
}
