/** System codes of failed connections. */
import * as Predicate from "effect/Predicate"

const explanations: Readonly<Record<string, string>> = {
  ECONNREFUSED: "the connection was refused",
  ECONNRESET: "the connection was reset",
  ENOTFOUND: "the host is unknown",
}

const certificate = /CERT|_SIGNATURE$/

export const isInvalidRequest = (code = ""): boolean => /^ERR_(HTTP_INVALID|INVALID|UNESCAPED)_/.test(code)

export const explain = (code: string | undefined): string => {
  if (code === undefined) return "the connection failed"
  if (isInvalidRequest(code)) return `the request is invalid (${code})`
  const explanation = explanations[code] ?? (certificate.test(code) ? "its certificate is invalid" : undefined)
  return explanation === undefined ? code : `${explanation} (${code})`
}

/** `ETIMEDOUT` is not one of them, because it also ends established connections. */
export const isNotConnected = (code = ""): boolean =>
  certificate.test(code) || /^(ECONNREFUSED|E(HOST|NET)UNREACH|ENOTFOUND|EAI_AGAIN|UND_ERR_CONNECT_TIMEOUT)$/.test(code)

export const findCode = (error: unknown, depth = 5): string | undefined => {
  if (depth === 0) return undefined
  if (Predicate.hasProperty(error, "code") && typeof error.code === "string") return error.code
  return Predicate.hasProperty(error, "cause") ? findCode(error.cause, depth - 1) : undefined
}
