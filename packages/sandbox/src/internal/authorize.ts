/** The identity provider: the authorize page of the implicit flow (document, "Authentication"; RFC 6749, sections 3.1 and 4.2). */
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { unknownPath, wrongMethod } from "./healthErrors.js"
import { escape, page } from "./htmlPage.js"
import * as router from "./router.js"

/** Who asks for a token, and the `state` to return unchanged. */
interface Client {
  readonly id: string
  readonly redirect: URL
  readonly state: string | undefined
}

/** A request for a token: valid; invalid in a way that the client is redirected with; or not fit to redirect anywhere. */
type Parsed =
  | { readonly _tag: "Unfit"; readonly reason: string }
  | { readonly _tag: "Invalid"; readonly client: Client; readonly error: string; readonly reason: string }
  | { readonly _tag: "Valid"; readonly client: Client; readonly scope: string; readonly prompts: boolean }

/** The scope of the document ("Authentication"), for requests without one. */
const defaultScope = "user_impersonation"

/** In seconds. The sandbox's token does not expire. */
const lifetime = "3600"

/** The characters of parameters (RFC 6749, appendix A). */
const visible = /^[ -~]+$/
const scopes = /^[!#-[\]-~]+( [!#-[\]-~]+)*$/

/** The parameters that may not be repeated. */
const known = ["response_type", "client_id", "redirect_uri", "scope", "state", "nonce", "prompt"] as const

const loopback = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/

/** A URL to which a token may go: https, or http on this machine, without a fragment (RFC 6749, 3.1.2) or a user. */
const parseRedirect = (text: string | undefined): URL | undefined => {
  if (text === undefined || !visible.test(text) || text.includes("#") || !URL.canParse(text)) return undefined
  const url = new URL(text)
  const safe = url.protocol === "https:" || (url.protocol === "http:" && loopback.test(url.hostname))
  return safe && url.username === "" && url.password === "" ? url : undefined
}

const parse = (query: URLSearchParams): Parsed => {
  /** A parameter that is given once. An empty one counts as missing. */
  const one = (name: (typeof known)[number]): string | undefined => {
    const [value, ...others] = query.getAll(name)
    return value === "" || others.length > 0 ? undefined : value
  }
  const redirect = parseRedirect(one("redirect_uri"))
  if (redirect === undefined) {
    const rule = "be an https address, or one of http on this machine, without a fragment."
    return { _tag: "Unfit", reason: `The redirect_uri must be given once, and ${rule}` }
  }
  const id = one("client_id")
  if (id === undefined || !visible.test(id))
    return { _tag: "Unfit", reason: "The client_id must be given once, in visible letters." }
  const client = { id, redirect, state: one("state") }
  const invalid = (error: string, reason: string): Parsed => ({ _tag: "Invalid", client, error, reason })
  const repeated = known.find((name) => query.getAll(name).length > 1)
  if (repeated !== undefined) return invalid("invalid_request", `The parameter ${repeated} is given more than once.`)
  const type = one("response_type")
  if (type === undefined) return invalid("invalid_request", "The parameter response_type is missing.")
  if (type !== "token") return invalid("unsupported_response_type", "The only response_type is token.")
  const scope = one("scope") ?? defaultScope
  if (!scopes.test(scope)) return invalid("invalid_scope", "The scope is not a list of words.")
  return { _tag: "Valid", client, scope, prompts: one("prompt") !== "none" }
}

/** The redirect URL with these fields in its fragment, and `state` if the request had one (RFC 6749, 4.2.2). */
const urlWith = ({ redirect, state }: Client, fields: Readonly<Record<string, string>>): string => {
  const fragment = new URLSearchParams({ ...fields, ...(state === undefined ? {} : { state }) })
  return `${redirect.href}#${fragment.toString()}`
}

const redirectTo = (location: string) =>
  HttpServerResponse.empty({
    status: 302,
    headers: { location, "cache-control": "no-store", "referrer-policy": "no-referrer" },
  })

/** Asks a person to allow or deny access. Both links lead to the client. */
const question = (client: Client, scope: string, allow: string, deny: string) =>
  page({
    status: 200,
    title: "Allow access?",
    body: `<p>The application <strong>${escape(client.id)}</strong> asks to act for you at the sandbox:</p>
<ul>${scope
      .split(" ")
      .map((word) => `<li><code>${escape(word)}</code></li>`)
      .join("")}</ul>
<p>Your answer goes to <strong>${escape(client.redirect.origin)}</strong>.</p>
<p><a id="allow" href="${escape(allow)}">Allow</a> <a id="deny" href="${escape(deny)}">Deny</a></p>`,
  })

/** The page that sends the access token to the client, once a person, or `prompt=none`, allows it. */
export const make = (accessToken: Redacted.Redacted): router.Part => {
  const answer = (query: URLSearchParams): HttpServerResponse.HttpServerResponse => {
    const parsed = parse(query)
    if (parsed._tag === "Unfit")
      return page({ status: 400, title: "This request can't be answered", body: `<p>${escape(parsed.reason)}</p>` })
    const { client } = parsed
    if (parsed._tag === "Invalid")
      return redirectTo(urlWith(client, { error: parsed.error, error_description: parsed.reason }))
    const { prompts, scope } = parsed
    const token = { access_token: Redacted.value(accessToken), token_type: "Bearer", expires_in: lifetime, scope }
    const allow = urlWith(client, token)
    if (!prompts) return redirectTo(allow)
    const denial = { error: "access_denied", error_description: "The user denied the request." }
    return question(client, scope, allow, urlWith(client, denial))
  }

  return router.part({
    routes: [
      {
        method: "GET",
        path: "/common/oauth2/authorize",
        answer: ({ target }) => Effect.sync(() => answer(router.queryOf(target))),
      },
    ],
    before: () => Effect.succeed({}),
    unknownPath,
    wrongMethod,
  })
}
