/** The portal: where a person creates and deletes tokens (document, "States and transitions"), and looks at apps. */
import * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { type Accounts, fullName } from "../../Accounts.js"
import type { Options as TokenOptions, TokenRefused } from "../../Tokens.js"
import * as rights from "../appmgmt/rights.js"
import * as roles from "../appmgmt/roles.js"
import * as body from "../appmgmt/body.js"
import type { Store } from "../appmgmt/tokens.js"
import * as path from "../path.js"
import * as pages from "./pages.js"
import * as sameSite from "./sameSite.js"

/** What the portal is served with. Whoever looks at it is the accounts' first user. */
export interface Options {
  readonly baseUrl: string
  readonly current: Effect.Effect<Accounts>
  readonly tokens: Store
}

const home = "/portal"
const creation = `${home}/tokens`
const deletion = `${home}/tokens/:id/delete`
const ofUser = "/users/:owner/apps/:app"
const ofOrganization = "/orgs/:owner/apps/:app"

/** Whether a request target is one of the portal. */
export const serves = (target: string): boolean => {
  const asked = path.ofTarget(target)
  return [home, creation, deletion, ofUser, ofOrganization].some((shape) => path.match(shape, asked) !== undefined)
}

const statuses: Readonly<Record<TokenRefused["reason"], number>> = { user: 404, app: 404, right: 403, limit: 409 }

/** What the form asks for. */
const readForm = (text: Option.Option<string>): TokenOptions | undefined => {
  const fields = new URLSearchParams(Option.getOrElse(text, () => ""))
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
    const asked = path.ofTarget(request.url)
    if (!sameSite.isHome(request.headers)) return pages.failure(403, "The portal is served to this machine alone.")
    if (request.method === "POST") {
      if (!sameSite.isOwnForm(request.headers, protocol))
        return pages.failure(403, "A form must be sent from a page of this portal.")
      const deleted = path.match(deletion, asked)
      if (deleted !== undefined) return yield* remove(deleted["id"] ?? "")
      if (asked === creation) return yield* create(request)
    }
    if (request.method === "GET" || request.method === "HEAD") {
      if (asked === home) return yield* list
      const [user, organization] = [path.match(ofUser, asked), path.match(ofOrganization, asked)]
      if (user !== undefined) return yield* show("user", user["owner"], user["app"])
      if (organization !== undefined) return yield* show("org", organization["owner"], organization["app"])
    }
    return pages.failure(405, "There is no such method here.")
  })
}
