/** The full name of an app: its owner and its name. */
import * as Origin from "@vigil/core-http/Origin"
import * as PathSegment from "@vigil/core-http/PathSegment"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"

const Name = Schema.String.pipe(Schema.filter(PathSegment.isSegment, { identifier: "Name" }))

/**
 * An app by owner and name (document, "App identity"). Neither may be empty, `.` or `..`, or contain `/\?#%` or control characters.
 * @category schemas @since 0.1.0
 */
export const AppName = Schema.Data(Schema.Struct({ owner: Name, app: Name })).pipe(
  Schema.brand("@vigil/appmgmt-client/AppName", { identifier: "AppName" }),
)

/** A valid owner and name of an app. @category models @since 0.1.0 */
export type AppName = typeof AppName.Type

/** Makes a name from trusted parts. Throws a `ParseError` if they are invalid. @category constructors @since 0.1.0 */
export const make = (owner: string, app: string): AppName => Schema.decodeSync(AppName)({ owner, app })

/** Formats a name as `{owner-name}/{app-name}` (document, "App identity"). @category printing @since 0.1.0 */
export const format = ({ app, owner }: AppName): string => `${owner}/${app}`

const scopes = { user: "users", org: "orgs" } as const

/**
 * The URL of the app in the portal (document, "App identity"): `{portal_url}/users/{owner-name}/apps/{app-name}`, or `orgs`.
 * @category printing @since 0.1.0
 */
export const toPortalUrl = (
  { app, owner }: AppName,
  { ownerType, portalUrl }: { readonly portalUrl: string; readonly ownerType: "user" | "org" },
): string => portalUrl.replace(/(?<!\/)\/+$/, "") + PathSegment.join([scopes[ownerType], owner, "apps", app])

const page = /\/(?<scope>users|orgs)\/(?<owner>[^/]+)\/apps\/(?<app>[^/]+)(?:\/.*)?$/

/** Reads `{ owner, app }`. Returns `None` if one is missing or invalid. @category parsing @since 0.1.0 */
export const fromUnknown: (input: unknown) => Option.Option<AppName> =
  /* @__PURE__ */ Schema.decodeUnknownOption(AppName)

const decode = /* @__PURE__ */ Option.liftThrowable(decodeURIComponent)

/** Reads the URL of an app, or of a page below it, in any portal. Returns `None` for any other text. @category parsing @since 0.1.0 */
export const fromPortalUrl = (
  text: string,
): Option.Option<{ readonly name: AppName; readonly ownerType: "user" | "org" }> => {
  const url = Origin.parseUrl(text)
  if (url === undefined || !Origin.isHttp(url)) return Option.none()
  const { app = "", owner = "", scope } = page.exec(url.pathname)?.groups ?? {}
  return Option.all({ owner: decode(owner), app: decode(app) }).pipe(
    Option.flatMap(fromUnknown),
    Option.map((name) => ({ name, ownerType: scope === "users" ? "user" : "org" })),
  )
}

/** Reads `owner/app` or a portal URL. Returns `None` for any other text. @category parsing @since 0.1.0 */
export const parse = (text: string): Option.Option<AppName> => {
  const [owner = "", app = "", ...rest] = text.split("/")
  return rest.length === 0 ? fromUnknown({ owner, app }) : Option.map(fromPortalUrl(text), ({ name }) => name)
}

/** Whether two names are equal, ignoring case. @category guards @since 0.1.0 */
export const isSame = (one: AppName, other: AppName): boolean =>
  format(one).toLowerCase() === format(other).toLowerCase()
