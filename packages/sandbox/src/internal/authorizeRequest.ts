/** What a request for an access token asks, by the rules of the implicit flow (RFC 6749, sections 3.1 and 4.2). */

/** Whom to answer, and what to hand back unchanged. */
export interface Asker {
  readonly clientId: string
  readonly redirect: URL
  readonly state: string | undefined
}

/**
 * How a request is to be met: with a page that says what is wrong, when nobody may be redirected to; with a redirect that says
 * so; or by asking the user, or nobody (`silent`).
 */
export type Met =
  | { readonly _tag: "Unfit"; readonly reason: string }
  | { readonly _tag: "Wrong"; readonly asker: Asker; readonly error: string; readonly reason: string }
  | { readonly _tag: "Fit"; readonly asker: Asker; readonly scope: string; readonly silent: boolean }

/** The scope of the document ("Authentication"), which is granted when none is asked for. */
const defaultScope = "user_impersonation"

/** What the document's and the standard's parameters are made of (RFC 6749, appendix A): all of it can be shown to a person. */
const visible = /^[ -~]+$/
const scopes = /^[!#-[\]-~]+( [!#-[\]-~]+)*$/

/** The parameters that may not stand twice. One without a value is as good as none. */
const known = ["response_type", "client_id", "redirect_uri", "scope", "state", "nonce", "prompt"] as const

const loopback = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/

/** An address to which a token may go: https, or http on this machine; without a fragment (RFC 6749, 3.1.2) or a user. */
const redirectTo = (text: string | undefined): URL | undefined => {
  if (text === undefined || !visible.test(text) || text.includes("#") || !URL.canParse(text)) return undefined
  const url = new URL(text)
  const safe = url.protocol === "https:" || (url.protocol === "http:" && loopback.test(url.hostname))
  return safe && url.username === "" && url.password === "" ? url : undefined
}

const unfit = (reason: string): Met => ({ _tag: "Unfit", reason })

/** Reads the query of a request. */
export const read = (query: URLSearchParams): Met => {
  const one = (name: (typeof known)[number]): string | undefined => {
    const [value, ...others] = query.getAll(name)
    return value === "" || others.length > 0 ? undefined : value
  }
  const redirect = redirectTo(one("redirect_uri"))
  if (redirect === undefined)
    return unfit(
      "The redirect_uri must be given once, and be an https address, or one of http on this machine, without a fragment.",
    )
  const clientId = one("client_id")
  if (clientId === undefined || !visible.test(clientId))
    return unfit("The client_id must be given once, in visible letters.")
  const asker = { clientId, redirect, state: one("state") }
  const wrong = (error: string, reason: string): Met => ({ _tag: "Wrong", asker, error, reason })
  const twice = known.find((name) => query.getAll(name).length > 1)
  if (twice !== undefined) return wrong("invalid_request", `The parameter ${twice} is given more than once.`)
  const type = one("response_type")
  if (type === undefined) return wrong("invalid_request", "The parameter response_type is missing.")
  if (type !== "token") return wrong("unsupported_response_type", "The only response_type is token.")
  const scope = one("scope") ?? defaultScope
  if (!scopes.test(scope)) return wrong("invalid_scope", "The scope is not a list of words.")
  return { _tag: "Fit", asker, scope, silent: one("prompt") === "none" }
}

/** Where the answer goes: the fields in the fragment, `state` with them when there was one (RFC 6749, 4.2.2). */
export const answerTo = ({ redirect, state }: Asker, fields: Readonly<Record<string, string>>): string => {
  const fragment = new URLSearchParams({ ...fields, ...(state === undefined ? {} : { state }) })
  return `${redirect.href}#${fragment.toString()}`
}
