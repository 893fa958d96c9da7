/** What the codes of failed connections mean. */

const untrusted = "its certificate is not signed by a trusted authority"

const explanations: Readonly<Record<string, string>> = {
  ECONNREFUSED: "the connection was refused",
  ECONNRESET: "the connection was reset",
  EPIPE: "the connection was closed",
  ENOTFOUND: "the host is unknown",
  EAI_AGAIN: "the host name could not be looked up",
  UND_ERR_SOCKET: "the connection was closed",
  HPE_INVALID_CONSTANT: "the server does not speak HTTP",
  CERT_HAS_EXPIRED: "its certificate has expired",
  DEPTH_ZERO_SELF_SIGNED_CERT: untrusted,
  SELF_SIGNED_CERT_IN_CHAIN: untrusted,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: untrusted,
  ERR_TLS_CERT_ALTNAME_INVALID: "its certificate is for another host",
}

/** The code in words, with the code in parentheses. */
export const explain = (code: string | undefined): string => {
  if (code === undefined) return "the connection failed"
  const explanation = explanations[code]
  return explanation === undefined ? code : `${explanation} (${code})`
}

/** Codes of connections that were never made, so that nothing was sent. `ETIMEDOUT` also ends connections that were. */
const unreached = new Set([
  "ECONNREFUSED",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENOTFOUND",
  "EAI_AGAIN",
  "UND_ERR_CONNECT_TIMEOUT",
  "CERT_HAS_EXPIRED",
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
  "ERR_TLS_CERT_ALTNAME_INVALID",
])

/** Codes that Node's client throws at a request that it cannot write: its URL, headers or protocol. */
const unsendable = new Set([
  "ERR_HTTP_INVALID_HEADER_VALUE",
  "ERR_INVALID_CHAR",
  "ERR_INVALID_HTTP_TOKEN",
  "ERR_INVALID_PROTOCOL",
  "ERR_UNESCAPED_CHARACTERS",
])

/** Whether the HTTP client rejected the request itself. */
export const isUnsendable = (code: string | undefined): boolean => code !== undefined && unsendable.has(code)

/** Whether the failure left the server without the request. */
export const isUnreached = (code: string | undefined): boolean => code !== undefined && unreached.has(code)
