/** What an authorization server adds to the address that it redirects to. */

/** The parameters of an answer. */
export interface Answer {
  /** The value of a parameter; `undefined` when it is absent or empty, which is the same (RFC 6749, 3.1). */
  readonly get: (name: string) => string | undefined
  readonly isEmpty: boolean
  /** Whether a parameter is there twice, which none may be (RFC 6749, 3.1). */
  readonly isRepeated: (name?: string) => boolean
}

/** An address begins before its first parameter does: with a scheme, a path or a query. */
const address = /^[^=&]*[:/?]/

/** The fragment of an address, or of what is none but a fragment already. */
const fragmentOf = (text: string): string => {
  const hash = text.indexOf("#")
  if (hash >= 0) return text.slice(hash + 1)
  return address.test(text) ? "" : text
}

/** Reads the parameters in the fragment of an address, or in a fragment with or without its `#` (RFC 6749, 4.2.2). */
export const read = (text: string): Answer => {
  const parameters = new URLSearchParams(fragmentOf(text))
  const names = [...parameters.keys()]
  return {
    get: (name) => parameters.get(name) || undefined,
    isEmpty: names.length === 0,
    isRepeated: (name) =>
      name === undefined ? new Set(names).size < names.length : parameters.getAll(name).length > 1,
  }
}

/** Whether two texts are the same, in a time that depends on their lengths alone. */
export const isSame = (one: string, other: string): boolean => {
  let difference = one.length ^ other.length
  for (let at = 0; at < one.length; at++) difference |= one.charCodeAt(at) ^ other.charCodeAt(at)
  return difference === 0
}
