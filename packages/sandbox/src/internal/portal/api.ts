/** The portal: where a person creates and deletes tokens (document, "States and transitions"), and looks at apps. */
import type * as Headers from "@effect/platform/Headers"
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { type Accounts, fullName } from "../../Accounts.js"
import type { Options as TokenOptions, TokenRefused } from "../../Tokens.js"
import * as rights from "../appmgmt/rights.js"
import type { Store } from "../appmgmt/tokens.js"
import * as body from "../body.js"
import { type Matched, part, type Part } from "../router.js"
import * as pages from "./pages.js"

/** What the portal is served with. The person who uses it is the accounts' first user. */
export interface Options {
  readonly baseUrl: string
  readonly current: Effect.Effect<Accounts>
  readonly tokens: Store
}

const home = "/portal"

const statuses: Readonly<Record<TokenRefused["reason"], number>> = { user: 404, app: 404, right: 403, limit: 409 }

const fail = (status: number, reason: string) => Effect.fail(pages.failure(status, reason))

const unknownPath = fail(404, "There is no such page.")

const loopback = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/i

/** Whether the request names this machine as its host. Another name may resolve to this machine, and belong to another site. */
const isHome = ({ host = "" }: Headers.Headers): boolean => loopback.test(host)

/** Whether a form was sent from a page of this origin: no other page can make a browser send these headers. */
const isOwnForm = (headers: Headers.Headers, protocol: string): boolean =>
  headers["origin"] === `${protocol}//${headers["host"]}` &&
  (headers["sec-fetch-site"] ?? "same-origin") === "same-origin"

/** The token that the form asks for. */
const readForm = (text: string): TokenOptions | undefined => {
  const fields = new URLSearchParams(text)
  const [name = "", access, app = ""] = ["name", "access", "app"].map((field) => fields.get(field)?.trim() ?? "")
  if (name === "" || name.length > 100) return undefined
  if (access !== "full" && access !== "read-only") return undefined
  return app === "" ? { kind: "user", access, name } : { kind: "app", app, access, name }
}

/** Serves the portal. */
export const make = ({ baseUrl, current, tokens }: Options): Part => {
  const { protocol } = new URL(baseUrl)

  const list = Effect.gen(function* () {
    const accounts = yield* current
    const [{ name: user }] = accounts.users
    const mine = (yield* tokens.list).filter((token) => token.user === user)
    const apps = accounts.apps.filter((app) =>
      rights.allowed({ kind: "user", access: "full" }, rights.ofUser(accounts, user, app), "createReadOnlyToken"),
    )
    return pages.tokens(user, mine, apps)
  })

  /** Answers a form that was sent from a page of the portal. */
  const form =
    <A, E>(answer: (matched: Matched) => Effect.Effect<A, E>) =>
    (matched: Matched) =>
      isOwnForm(matched.request.headers, protocol)
        ? answer(matched)
        : fail(403, "A form must be sent from a page of this portal.")

  const create = form(({ request }) =>
    Effect.gen(function* () {
      const options = readForm(yield* Effect.orElse(body.read(request), () => fail(413, "The form is too large.")))
      if (options === undefined) return yield* fail(400, "A token needs a name of up to 100 letters, and an access.")
      const { value } = yield* Effect.catchAll(tokens.create(options), ({ message, reason }) =>
        fail(statuses[reason], message),
      )
      return pages.created(options.name ?? "", Redacted.value(value))
    }),
  )

  const remove = form(({ params }) =>
    Effect.gen(function* () {
      const { id = "" } = params
      const [{ name: user }] = (yield* current).users
      const mine = (yield* tokens.list).some((token) => token.id === id && token.user === user)
      return mine && (yield* tokens.delete(id))
        ? HttpServerResponse.empty({ status: 303, headers: { location: home, "cache-control": "no-store" } })
        : yield* fail(404, "There is no such token.")
    }),
  )

  const show =
    (type: "user" | "org") =>
    ({ params: { app: name = "", owner = "" } }: Matched) =>
      Effect.flatMap(current, (accounts) => {
        const found = rights.appNamed(accounts, fullName({ name, owner: { type, name: owner } }))
        return found?.owner.type === type
          ? Effect.succeed(pages.app(accounts, found))
          : fail(404, "There is no such app.")
      })

  return part({
    routes: [
      { method: "GET", path: home, answer: () => list },
      { method: "POST", path: `${home}/tokens`, answer: create },
      { method: "POST", path: `${home}/tokens/:id/delete`, answer: remove },
      { method: "GET", path: "/users/:owner/apps/:app", answer: show("user") },
      { method: "GET", path: "/orgs/:owner/apps/:app", answer: show("org") },
    ],
    before: ({ headers }) =>
      isHome(headers) ? Effect.succeed({}) : fail(403, "The portal is served to this machine alone."),
    unknownPath,
    wrongMethod: (allow) =>
      Effect.fail(HttpServerResponse.setHeader(pages.failure(405, `This page allows ${allow} only.`), "allow", allow)),
  })
}
