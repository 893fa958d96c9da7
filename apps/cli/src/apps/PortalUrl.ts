/** The URLs of apps in a portal: `{portal_url}/users/{owner-name}/apps/{app-name}`, or `orgs`. */
import * as AppName from "@vigil/appmgmt-client/AppName"
import * as Origin from "@vigil/core-http/Origin"
import * as PathSegment from "@vigil/core-http/PathSegment"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Flag from "../flags/Flag.js"

export type OwnerType = "user" | "org"

const scopes = { user: "users", org: "orgs" } as const

export const format = (portalUrl: string, { app, owner }: AppName.AppName, ownerType: OwnerType): string =>
  portalUrl.replace(/(?<!\/)\/+$/, "") + PathSegment.join([scopes[ownerType], owner, "apps", app])

const page = /\/(?<scope>users|orgs)\/(?<owner>[^/]+)\/apps\/(?<app>[^/]+)(?:\/.*)?$/

const decode = Option.liftThrowable(decodeURIComponent)

const decodeName = Schema.decodeOption(AppName.AppName)

/** Reads the URL of an app, or of a page below it, in any portal. */
export const parse = (
  text: string,
): Option.Option<{ readonly name: AppName.AppName; readonly ownerType: OwnerType }> => {
  const url = URL.parse(text)
  if (url === null || !Origin.isHttp(url)) return Option.none()
  const { app = "", owner = "", scope } = page.exec(url.pathname)?.groups ?? {}
  return Option.all({ owner: decode(owner), app: decode(app) }).pipe(
    Option.flatMap((parts) => decodeName(AppName.format(parts))),
    Option.map((name) => ({ name, ownerType: scope === "users" ? "user" : "org" })),
  )
}

const parseName = (text: string) => Option.orElse(decodeName(text), () => Option.map(parse(text), ({ name }) => name))

/** The argument for an app. */
export const app: Flag.Argument<AppName.AppName> = {
  ...Flag.parsed("owner/app", "owner/app, or the URL of the app's page in the portal", parseName),
  description: "The app: owner/app, or the URL of its page in the portal",
}
