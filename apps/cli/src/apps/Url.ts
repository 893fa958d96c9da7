/** `vigil apps url`: the URL of an app's page in the portal. */
import * as App from "@vigil/appmgmt-client/App"
import type * as AppManagement from "@vigil/appmgmt-client/AppManagement"
import * as AppName from "@vigil/appmgmt-client/AppName"
import * as Origin from "@vigil/core-http/Origin"
import * as TerminalText from "@vigil/health-text/TerminalText"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Command from "../command/Command.js"
import { CommandError } from "../command/CommandError.js"
import * as Connection from "../connection/Connection.js"
import * as Flag from "../flags/Flag.js"
import { UsageError } from "../flags/UsageError.js"
import * as Format from "../output/Format.js"
import * as Settings from "../settings/Settings.js"
import * as PortalUrl from "./PortalUrl.js"

/** The portal of the settings does not have the apps of the sandbox. */
const configuredPortal = Effect.fnUntraced(function* (flag: string | undefined, isSandbox: boolean) {
  const portalUrl = isSandbox ? flag : (yield* Settings.get("portalUrl", { name: "--portal", value: flag }))?.value
  const url = URL.parse(portalUrl ?? "")
  if (portalUrl !== undefined && !(url && Origin.isHttp(url)))
    return yield* new UsageError("The portal URL is invalid. Pass one such as https://portal.example.")
  return portalUrl
})

const ownerTypeOf = Effect.fnUntraced(function* (client: AppManagement.Service, name: AppName.AppName) {
  const apps = yield* client.apps
  const app = apps.find((one) => {
    const other = App.nameOf(one)
    return other !== undefined && AppName.isSame(name, other)
  })
  const advice = "pass --owner-type user or --owner-type org."
  if (app === undefined)
    return yield* new CommandError(
      "notFound",
      `You have no app ${AppName.format(name)}. Check the name with vigil apps list, or ${advice}`,
    )
  const type = app.owner?.type
  if (type === "user" || type === "org") return type
  return yield* new UsageError(`The service did not return the owner type of ${AppName.format(name)}: ${advice}`)
})

const app = {
  ...PortalUrl.app,
  parse: (text: string, from: string) =>
    Effect.map(PortalUrl.app.parse(text, from), (name) => ({
      name,
      page: Option.getOrUndefined(PortalUrl.parse(text)),
    })),
}

export const command = Command.make({
  description: "Print the URL of an app's page in the portal.",
  examples: [
    "vigil apps url fleet/dispatch --sandbox",
    "vigil apps url fleet/dispatch --owner-type org --portal https://portal.example",
  ],
  flags: {
    ...Connection.flags,
    portal: Flag.optional(Flag.text("url"), "Portal URL (environment: APPMGMT_PORTAL_URL)"),
    ownerType: Flag.optional(
      Flag.oneOf(["user", "org"], "type"),
      "Type of the owner: user or org (default: from the service)",
    ),
    output: Format.flag,
  },
  args: { app },
  run: function* ({ app: { name, page }, output: format, ownerType: declared, portal: flag, ...flags }) {
    const base = yield* configuredPortal(flag, yield* Connection.isSandbox(flags))
    // Without unknowns, no request is needed.
    const connection = yield* Effect.cached(Connection.appManagement(flags))
    const type = declared ?? page?.ownerType ?? (yield* ownerTypeOf((yield* connection).client, name))
    const portal = base ?? (yield* connection).sandbox?.baseUrl
    if (portal === undefined)
      return yield* new UsageError("No portal URL is configured: set APPMGMT_PORTAL_URL, or pass --portal.")
    const url = PortalUrl.format(portal, name, type)
    const record = { owner: name.owner, app: name.app, ownerType: type, url }
    yield* Format.one(format, { lines: () => [TerminalText.line(url)], record, json: record })
  },
})
