/** The name of an app: its owner's, and its own. */
import * as Origin from "@vigil/core-http/Origin"
import * as PathSegment from "@vigil/core-http/PathSegment"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as ParseResult from "effect/ParseResult"
import * as Schema from "effect/Schema"

/** A name in a path: one segment of it. */
const Name = Schema.String.pipe(Schema.filter(PathSegment.isSegment, { identifier: "Name" }))

/**
 * An app by its owner (a user or an organization) and its own name (document, "App identity"). Neither may be empty, or hold
 * what would change the path that it becomes part of: `/`, `\`, `?`, `#`, `%`, control characters; nor be `.` or `..`.
 * @category schemas
 * @since 0.1.0
 */
export const AppName = Schema.Data(Schema.Struct({ owner: Name, app: Name })).pipe(
  Schema.brand("@vigil/appmgmt-client/AppName", { identifier: "AppName" }),
)

/**
 * An owner and an app, both checked.
 * @category models
 * @since 0.1.0
 */
export type AppName = typeof AppName.Type

/**
 * Makes a name of parts that are known to be good; throws a `ParseError` on any others.
 * @category constructors
 * @since 0.1.0
 */
export const make = (owner: string, app: string): AppName => Schema.decodeSync(AppName)({ owner, app })

/**
 * `{owner-name}/{app-name}`, as command lines list apps (document, "App identity").
 * @category printing
 * @since 0.1.0
 */
export const format = ({ app, owner }: AppName): string => `${owner}/${app}`

/**
 * What owns an app: it decides the form of the app's address in the portal.
 * @category models
 * @since 0.1.0
 */
export type OwnerType = "user" | "org"

const scopes = { user: "users", org: "orgs" } as const

/**
 * The app's page in the portal: `{portal_url}/users/{owner-name}/apps/{app-name}` of a user's app,
 * `{portal_url}/orgs/{owner-name}/apps/{app-name}` of an organization's (document, "App identity"). `portalUrl` is kept as it is, but
 * for slashes at its end.
 * @category printing
 * @since 0.1.0
 */
export const toPortal = (
  { app, owner }: AppName,
  { ownerType, portalUrl }: { readonly portalUrl: string; readonly ownerType: OwnerType },
): string => portalUrl.replace(/(?<!\/)\/+$/, "") + PathSegment.join([scopes[ownerType], owner, "apps", app])

/** What stands in a portal's address, from the scope of the owner on; pages within the app's may follow. */
const page = /\/(?<scope>users|orgs)\/(?<owner>[^/]+)\/apps\/(?<app>[^/]+)(?:\/.*)?$/

const named = /* @__PURE__ */ Schema.decodeOption(AppName)

/** A segment as it is meant; nothing where its escapes are none. */
const meant = /* @__PURE__ */ Option.liftThrowable(decodeURIComponent)

/**
 * An app and its owner, as an address of the portal tells them.
 * @category models
 * @since 0.1.0
 */
export interface PortalApp {
  /** The owner and the app. */
  readonly name: AppName
  /** What the owner is: the scope in the address tells. */
  readonly ownerType: OwnerType
}

/**
 * Reads an address of the portal, of either form, on whatever host, also of a page within the app's; `None` for any other text.
 * @category parsing
 * @since 0.1.0
 */
export const fromPortal = (address: string): Option.Option<PortalApp> => {
  const url = Origin.parseUrl(address)
  if (url === undefined || !Origin.isHttp(url)) return Option.none()
  const { app = "", owner = "", scope } = page.exec(url.pathname)?.groups ?? {}
  return Option.all({ owner: meant(owner), app: meant(app) }).pipe(
    Option.flatMap(named),
    Option.map((name) => ({ name, ownerType: scope === "users" ? "user" : "org" })),
  )
}

/**
 * Reads `owner/app`, or an address of the portal; `None` for any other text.
 * @category parsing
 * @since 0.1.0
 */
export const parse = (text: string): Option.Option<AppName> => {
  const [owner = "", app = "", ...rest] = text.split("/")
  return rest.length === 0 ? named({ owner, app }) : Option.map(fromPortal(text), ({ name }) => name)
}

/**
 * An app's name from a text as `parse` reads it, written as `format` does.
 * @category schemas
 * @since 0.1.0
 */
export const FromText: Schema.Schema<AppName, string> = /* @__PURE__ */ Schema.transformOrFail(
  Schema.String,
  /* @__PURE__ */ Schema.typeSchema(AppName),
  {
    strict: true,
    decode: (text, _, ast) =>
      Either.fromOption(
        parse(text),
        () => new ParseResult.Type(ast, text, "Expected owner/app, or the address of an app in the portal"),
      ),
    encode: (name) => Either.right(format(name)),
  },
)

/**
 * Whether two names are the same but for the case of their letters.
 * @category guards
 * @since 0.1.0
 */
export const isSame = (one: AppName, other: AppName): boolean =>
  format(one).toLowerCase() === format(other).toLowerCase()
