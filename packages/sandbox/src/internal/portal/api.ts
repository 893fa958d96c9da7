/** The portal: where a person creates and deletes tokens (document, "States and transitions"), and looks at apps. */
import * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { type Accounts, fullName } from "../../Accounts.js"
import type { Options as TokenOptions, TokenRefused } from "../../Tokens.js"
import * as rights from "../appmgmt/rights.js"
import * as roles from "../appmgmt/roles.js"
import * as body from "../appmgmt/body.js"
import type { Store } from "../appmgmt/tokens.js"
import * as route from "../route.js"
import * as pages from "./pages.js"
import * as sameSite from "./sameSite.js"

/** What the portal is served with. Whoever looks at it is the accounts' first user. */
export interface Options {
  readonly baseUrl: string
  readonly current: Effect.Effect<Accounts>
  readonly tokens: Store
}

const home = "/portal"

const routes = [
  { name: "list", method: "GET", path: home },
  { name: "create", method: "POST", path: `${home}/tokens` },
  { name: "delete", method: "POST", path: `${home}/tokens/:id/delete` },
  { name: "ofUser", method: "GET", path: "/users/:owner/apps/:app" },
  { name: "ofOrganization", method: "GET", path: "/orgs/:owner/apps/:app" },
] as const

/** Whether a request target belongs to the portal. */
export const serves = (target: string): boolean => route.find(routes, "", target)._tag !== "UnknownPath"

const statuses: Readonly<Record<TokenRefused["reason"], number>> = { user: 404, app: 404, right: 403, limit: 409 }

/** What the form asks for. */
const readForm = (text: string): TokenOptions | undefined => {
  const fields = new URLSearchParams(text)
  const [name, access, app] = ["name", "access", "app"].map((field) => fields.get(field)?.trim() ?? "")
  if (name === undefined || name === "" || name.length > 100) return undefined
  if (access !== "full" && access !== "read-only") return undefined
  return app === undefined || app === "" ? { kind: "user", access, name } : { kind: "app", app, access, name }
}

/** Answers a request that `serves` has. */
export const app = ({ baseUrl, current, tokens }: Options) => {
  const { protocol } = new URL(baseUrl)

  const list = Effect.gen(function* () {
    const accounts = yield* current
    const [{ name: user }] = accounts.users
    const mine = (yield* tokens.list).filter((token) => token.user === user)
    const apps = accounts.apps.filter((app) =>
      rights.allowed({ kind: "user", access: "full" }, roles.ofUser(accounts, user, app), "createReadOnlyToken"),
    )
    return pages.tokens(user, mine, apps)
  })

  const create = (request: HttpServerRequest.HttpServerRequest) =>
    Effect.gen(function* () {
      const options = readForm(yield* body.read(request))
      if (options === undefined) return pages.failure(400, "A token needs a name of up to 100 letters, and an access.")
      const { value } = yield* tokens.create(options)
      return pages.created(options.name ?? "", Redacted.value(value))
    }).pipe(
      Effect.catchIf(
        (error) => error === "TooLarge",
        () => Effect.succeed(pages.failure(413, "The form is too large.")),
      ),
      Effect.catchTag("TokenRefused", ({ message, reason }) =>
        Effect.succeed(pages.failure(statuses[reason], message)),
      ),
    )

  const remove = (id: string) =>
    Effect.gen(function* () {
      const [{ name: user }] = (yield* current).users
      const mine = (yield* tokens.list).some((token) => token.id === id && token.user === user)
      return mine && (yield* tokens.delete(id))
        ? HttpServerResponse.empty({ status: 303, headers: { location: home, "cache-control": "no-store" } })
        : pages.failure(404, "There is no such token.")
    })

  const show = (type: "user" | "org", owner = "", name = "") =>
    Effect.map(current, (accounts) => {
      const found = roles.appNamed(accounts, fullName({ name, owner: { type, name: owner } }))
      return found?.owner.type === type ? pages.app(accounts, found) : pages.failure(404, "There is no such app.")
    })

  return Effect.gen(function* () {
    const request = yield* HttpServerRequest.HttpServerRequest
    if (!sameSite.isHome(request.headers)) return pages.failure(403, "The portal is served to this machine alone.")
    const found = route.find(routes, request.method, request.url)
    if (found._tag === "UnknownPath") return pages.failure(404, "There is no such page.")
    if (found._tag === "WrongMethod")
      return HttpServerResponse.setHeader(
        pages.failure(405, `This page allows ${found.allow} only.`),
        "allow",
        found.allow,
      )
    if (found.route.method === "POST" && !sameSite.isOwnForm(request.headers, protocol))
      return pages.failure(403, "A form must be sent from a page of this portal.")
    const { params } = found
    switch (found.route.name) {
      case "list":
        return yield* list
      case "create":
        return yield* create(request)
      case "delete":
        return yield* remove(params["id"] ?? "")
      case "ofUser":
        return yield* show("user", params["owner"], params["app"])
      case "ofOrganization":
        return yield* show("org", params["owner"], params["app"])
    }
  })
}
