/** The identity provider: the authorize page of the implicit flow (document, "Authentication"; RFC 6749, sections 3.1 and 4.2). */
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { escape, page } from "./htmlPage.js"
import * as router from "./router.js"

interface Client {
  readonly id: string
  readonly redirect: URL
  readonly state: string | undefined
}

const defaultScope = "user_impersonation"

const lifetime = "3600"

/** The characters of parameters (RFC 6749, appendix A). */
const printable = /^[ -~]+$/
const scopes = /^[!#-[\]-~]+( [!#-[\]-~]+)*$/

const parameters = ["response_type", "client_id", "redirect_uri", "scope", "state", "nonce", "prompt"] as const

const loopback = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/

/** Only https, or http on this machine, without a fragment (RFC 6749, 3.1.2) or credentials. */
const parseRedirect = (text: string | undefined): URL | undefined => {
  if (text === undefined || !printable.test(text) || text.includes("#") || !URL.canParse(text)) return undefined
  const url = new URL(text)
  const safe = url.protocol === "https:" || (url.protocol === "http:" && loopback.test(url.hostname))
  return safe && url.username === "" && url.password === "" ? url : undefined
}

const redirectUrl = ({ redirect, state }: Client, fields: Readonly<Record<string, string>>): string => {
  const fragment = new URLSearchParams({ ...fields, ...(state === undefined ? {} : { state }) })
  return `${redirect.href}#${fragment.toString()}`
}

const redirectTo = (location: string) =>
  HttpServerResponse.empty({
    status: 302,
    headers: { location, "cache-control": "no-store", "referrer-policy": "no-referrer" },
  })

/** Without a valid client and redirect URL, the error is shown to the user instead of the client. */
const errorPage = (reason: string) => page({ status: 400, title: "Invalid request", body: `<p>${escape(reason)}</p>` })

const consentPage = (client: Client, scope: string, allow: string, deny: string) =>
  page({
    status: 200,
    title: "Allow access?",
    body: `<p>The application <strong>${escape(client.id)}</strong> requests access to the sandbox on your behalf:</p>
<ul>${scope
      .split(" ")
      .map((word) => `<li><code>${escape(word)}</code></li>`)
      .join("")}</ul>
<p>Your decision is sent to <strong>${escape(client.redirect.origin)}</strong>.</p>
<p><a id="allow" href="${escape(allow)}">Allow</a> <a id="deny" href="${escape(deny)}">Deny</a></p>`,
  })

export const make = (accessToken: Redacted.Redacted): router.Part => {
  const handle = (query: URLSearchParams): HttpServerResponse.HttpServerResponse => {
    /** An empty parameter counts as missing. */
    const single = (name: (typeof parameters)[number]): string | undefined => {
      const [value, ...others] = query.getAll(name)
      return value === "" || others.length > 0 ? undefined : value
    }
    const redirect = parseRedirect(single("redirect_uri"))
    if (redirect === undefined)
      return errorPage(
        "The redirect_uri must be given once, as an https URL, or an http URL of this machine, without a fragment.",
      )
    const id = single("client_id")
    if (id === undefined || !printable.test(id))
      return errorPage("The client_id must be given once, in printable ASCII.")
    const client = { id, redirect, state: single("state") }
    const fail = (error: string, reason: string) =>
      redirectTo(redirectUrl(client, { error, error_description: reason }))
    const repeated = parameters.find((name) => query.getAll(name).length > 1)
    if (repeated !== undefined) return fail("invalid_request", `The parameter ${repeated} is given more than once.`)
    const type = single("response_type")
    if (type === undefined) return fail("invalid_request", "The parameter response_type is missing.")
    if (type !== "token") return fail("unsupported_response_type", "The only response_type is token.")
    const scope = single("scope") ?? defaultScope
    if (!scopes.test(scope)) return fail("invalid_scope", "The scope is invalid.")
    const token = { access_token: Redacted.value(accessToken), token_type: "Bearer", expires_in: lifetime, scope }
    const allow = redirectUrl(client, token)
    if (single("prompt") === "none") return redirectTo(allow)
    const denial = { error: "access_denied", error_description: "The user denied the request." }
    return consentPage(client, scope, allow, redirectUrl(client, denial))
  }

  return router.part([
    {
      method: "GET",
      path: "/common/oauth2/authorize",
      handle: ({ target }) => Effect.sync(() => handle(router.queryOf(target))),
    },
  ])
}
