/** Who may read: programs of this machine, or those with the token. */
import { createHash, timingSafeEqual } from "node:crypto"
import type { IncomingHttpHeaders } from "node:http"
import { isIPv4 } from "node:net"
import { isBearerToken } from "@vigil/core-http/Credential"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { UsageError } from "../flags/UsageError.js"
import * as Environment from "../settings/Environment.js"

export const variable = "VIGIL_SERVE_TOKEN"

const minLength = 16

const isLoopback = (name: string): boolean =>
  /^(?:localhost|\[?::1\]?)$/i.test(name) || (isIPv4(name) && name.startsWith("127."))

/** The access to a server on this host. Beyond loopback, it requires a token. */
export const make = Effect.fnUntraced(function* (host: string) {
  const token = yield* Environment.secret(variable)
  if (token === undefined && !isLoopback(host))
    return yield* new UsageError(
      `--host ${JSON.stringify(host)} is reachable from other machines and requires a token: set ${variable}, for example to the output of openssl rand -hex 32.`,
    )
  const text = token && Redacted.value(token)
  if (text !== undefined && (text.length < minLength || !isBearerToken(text)))
    return yield* new UsageError(
      `${variable} is too short or has characters that a header cannot contain. Set it to at least ${minLength} letters, digits or -._~+/, for example to the output of openssl rand -hex 32.`,
    )
  return { isLoopback: isLoopback(host), token }
})

export type Access = Effect.Success<ReturnType<typeof make>>

const digest = (text: string): Buffer => createHash("sha256").update(text).digest()

/** Takes the same time for every text of the same length. */
const isEqual = (one: string, other: string): boolean => timingSafeEqual(digest(one), digest(other))

/** A bearer token, or the password of Basic authentication, which browsers and calendars can send. */
const sentToken = (header: string | undefined): string => {
  const [, scheme = "", value = ""] = /^(Bearer|Basic) +(\S+) *$/i.exec(header ?? "") ?? []
  return scheme.toLowerCase() === "basic"
    ? Buffer.from(value, "base64")
        .toString()
        .replace(/^[^:]*:/, "")
    : value
}

/** One header each, and the scheme that browsers know first: Chromium asks for no password if both are in one header. */
const challenges = ['Basic realm="vigil", charset="UTF-8"', 'Bearer realm="vigil"']

const nameOf = (authority: string): string => authority.replace(/:\d*$/, "")

/** Why a request is refused. `isOpen`: its response is the same for everyone. `authorities`: the hosts that the request names. */
export const refusal = (
  access: Access,
  headers: IncomingHttpHeaders,
  { authorities, isOpen }: { readonly authorities: ReadonlyArray<string>; readonly isOpen: boolean },
) => {
  // Otherwise, a web page whose host name resolves to this machine could read the events (DNS rebinding).
  if (access.isLoopback && !authorities.every((authority) => isLoopback(nameOf(authority))))
    return {
      status: 421,
      headers: {},
      text: "This server accepts requests for localhost only. Use http://localhost and the port, or let the proxy set the Host header to it.",
    }
  const { token } = access
  return isOpen || token === undefined || isEqual(sentToken(headers.authorization), Redacted.value(token))
    ? undefined
    : {
        status: 401,
        headers: { "www-authenticate": challenges },
        text: `The token is missing or wrong. Send the header Authorization: Bearer with the value of ${variable}.`,
      }
}
