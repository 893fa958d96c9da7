/** The codes with which connections fail. */
import * as Predicate from "effect/Predicate"

const explanations: Readonly<Record<string, string>> = {
  ECONNREFUSED: "the connection was refused",
  ECONNRESET: "the connection was reset",
  ENOTFOUND: "the host is unknown",
}

const certificate = /CERT|_SIGNATURE$/

/** The code in words, with the code in parentheses. */
export const explain = (code: string | undefined): string => {
  if (code === undefined) return "the connection failed"
  const explanation = explanations[code] ?? (certificate.test(code) ? "its certificate is invalid" : undefined)
  return explanation === undefined ? code : `${explanation} (${code})`
}

/** Whether the connection was never made, so that nothing was sent. `ETIMEDOUT` also ends connections that were made. */
export const isUnreached = (code = ""): boolean =>
  certificate.test(code) || /^(ECONNREFUSED|E(HOST|NET)UNREACH|ENOTFOUND|EAI_AGAIN|UND_ERR_CONNECT_TIMEOUT)$/.test(code)

/** Whether Node's client rejected the request itself: its URL, headers or protocol. */
export const isUnsendable = (code = ""): boolean => /^ERR_(HTTP_INVALID|INVALID|UNESCAPED)_/.test(code)

/** The first code in a chain of causes, which may be a cycle. */
export const codeOf = (error: unknown, depth = 5): string | undefined => {
  if (depth === 0) return undefined
  if (Predicate.hasProperty(error, "code") && typeof error.code === "string") return error.code
  return Predicate.hasProperty(error, "cause") ? codeOf(error.cause, depth - 1) : undefined
}
