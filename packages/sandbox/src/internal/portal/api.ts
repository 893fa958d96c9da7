/** The portal: people create and delete tokens (document, "States and transitions") and see apps, as the first user of the accounts. */
import type * as Headers from "effect/http/Headers"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { type Accounts, fullName } from "../../Accounts.js"
import type { Options as TokenOptions, TokenRefused } from "../../Tokens.js"
import * as rights from "../appmgmt/rights.js"
import type { Store } from "../appmgmt/tokens.js"
import { type Matched, part, type Part } from "../router.js"
import * as pages from "./pages.js"

export interface Options {
  readonly baseUrl: string
  readonly current: Effect.Effect<Accounts>
  readonly tokens: Store
}

const homePath = "/portal"

const statuses: Readonly<Record<TokenRefused["reason"], number>> = { user: 404, app: 404, right: 403, limit: 409 }

const fail = (status: number, reason: string) => Effect.fail(pages.failure(status, reason))

const loopback = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/i

/** Other host names may resolve to this machine and belong to another site (DNS rebinding). */
const isLocalHost = ({ host = "" }: Headers.Headers): boolean => loopback.test(host)

/** Only pages of this origin can make a browser send these headers. */
const isOwnForm = (headers: Headers.Headers, protocol: string): boolean =>
  headers["origin"] === `${protocol}//${headers["host"]}` &&
  (headers["sec-fetch-site"] ?? "same-origin") === "same-origin"

const readForm = (text: string): TokenOptions | undefined => {
  const fields = new URLSearchParams(text)
  const [name = "", access, app = ""] = ["name", "access", "app"].map((field) => fields.get(field)?.trim() ?? "")
  if (name === "" || name.length > 100) return undefined
  if (access !== "full" && access !== "read-only") return undefined
  return app === "" ? { kind: "user", access, name } : { kind: "app", app, access, name }
}

export const make = ({ baseUrl, current, tokens }: Options): Part => {
  const { protocol } = new URL(baseUrl)

  const list = Effect.gen(function* () {
    const accounts = yield* current
    const [{ name: user }] = accounts.users
    const own = (yield* tokens.list).filter((token) => token.user === user)
    const apps = accounts.apps.filter((app) =>
      rights.allowed({ kind: "user", access: "full" }, rights.ofUser(accounts, user, app), "createReadOnlyToken"),
    )
    return pages.tokens(user, own, apps)
  })

  const protect =
    <A, E>(handle: (matched: Matched) => Effect.Effect<A, E>) =>
    (matched: Matched) =>
      isOwnForm(matched.request.headers, protocol)
        ? handle(matched)
        : fail(403, "A form must be sent from a page of this portal.")

  const create = Effect.fnUntraced(function* ({ request }: Matched) {
    const options = readForm(yield* Effect.catch(request.text, () => fail(413, "The form is too large.")))
    if (options === undefined) return yield* fail(400, "Enter a name of up to 100 characters, and select the access.")
    const { value } = yield* Effect.catch(tokens.create(options), ({ message, reason }) =>
      fail(statuses[reason], message),
    )
    return pages.created(options.name ?? "", Redacted.value(value))
  })

  const remove = Effect.fnUntraced(function* ({ params }: Matched) {
    const { id = "" } = params
    const [{ name: user }] = (yield* current).users
    const own = (yield* tokens.list).some((token) => token.id === id && token.user === user)
    return own && (yield* tokens.delete(id))
      ? HttpServerResponse.empty({ status: 303, headers: { location: homePath, "cache-control": "no-store" } })
      : yield* fail(404, "The token does not exist.")
  })

  const show =
    (type: "user" | "org") =>
    ({ params: { app: name = "", owner = "" } }: Matched) =>
      Effect.flatMap(current, (accounts) => {
        const found = rights.appNamed(accounts, fullName({ name, owner: { type, name: owner } }))
        return found?.owner.type === type
          ? Effect.succeed(pages.app(accounts, found))
          : fail(404, "The app does not exist.")
      })

  const { app, serves } = part(
    [
      { method: "GET", path: homePath, handle: () => list },
      { method: "POST", path: `${homePath}/tokens`, handle: protect(create) },
      { method: "POST", path: `${homePath}/tokens/:id/delete`, handle: protect(remove) },
      { method: "GET", path: "/users/:owner/apps/:app", handle: show("user") },
      { method: "GET", path: "/orgs/:owner/apps/:app", handle: show("org") },
    ],
    {
      unknownPath: fail(404, "This page does not exist."),
      wrongMethod: (allow) =>
        Effect.fail(
          HttpServerResponse.setHeader(pages.failure(405, `This page allows only ${allow}.`), "allow", allow),
        ),
    },
  )
  return {
    serves,
    app: Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ headers }) =>
      isLocalHost(headers) ? app : Effect.succeed(pages.failure(403, "The portal is available only on this machine.")),
    ),
  }
}
