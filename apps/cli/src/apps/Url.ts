/** `vigil apps url`: the address of an app's page in the portal. */
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import * as App from "@vigil/appmgmt-client/App"
import type * as AppManagement from "@vigil/appmgmt-client/AppManagement"
import * as AppName from "@vigil/appmgmt-client/AppName"
import * as Origin from "@vigil/core-http/Origin"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { UsageError } from "../Failure.js"
import * as Format from "../output/Format.js"
import * as TerminalText from "../output/TerminalText.js"
import * as Connection from "../settings/Connection.js"
import * as Settings from "../settings/Settings.js"
import * as Named from "./Named.js"

const portal = Options.text("portal").pipe(
  Options.withDescription(
    "The portal's address (environment: APPMGMT_PORTAL_URL). Default with --sandbox: the sandbox's.",
  ),
  Options.withPseudoName("url"),
  Options.optional,
)

const ownerType = Options.choice("owner-type", ["user", "org"]).pipe(
  Options.withDescription("Whether a user or an organization owns the app. Without it the service is asked."),
  Options.optional,
)

/** The portal of the flag, else of the settings. */
const configured = (flag: Option.Option<string>): Effect.Effect<Option.Option<string>, UsageError> =>
  Effect.gen(function* () {
    const setting = yield* Settings.get("portalUrl", { name: "--portal", value: flag })
    const address = Option.map(setting, ({ value }) => value)
    const url = Option.flatMapNullable(address, Origin.parseUrl)
    if (Option.isSome(address) && !Option.exists(url, Origin.isHttp))
      return yield* new UsageError({
        message: "The portal's address is not valid. Give one such as https://portal.example.",
      })
    return address
  })

/** The portal of the sandbox that was started for the command. */
const embedded = ({ sandbox }: Connection.Connection<AppManagement.Service>): Effect.Effect<string, UsageError> =>
  Option.match(sandbox, {
    onNone: () => new UsageError({ message: "Of which portal? Set APPMGMT_PORTAL_URL, or give --portal." }),
    onSome: ({ baseUrl }) => Effect.succeed(baseUrl),
  })

/** What owns the app, as the service lists it. */
const ask = (client: AppManagement.Service, name: AppName.AppName) =>
  Effect.gen(function* () {
    const apps = yield* client.apps
    const app = apps.find((one) => Option.exists(App.nameOf(one), (other) => AppName.isSame(name, other)))
    const type = app?.owner?.type
    if (type === "user" || type === "org") return type
    return yield* new UsageError({
      message: `The service does not tell what owns ${AppName.format(name)}. Check the name with vigil apps list, or give --owner-type user or --owner-type org.`,
    })
  })

/** The command. */
export const command = Command.make(
  "url",
  { ...Connection.flags, app: Named.app, portal, ownerType, output: Format.flag },
  ({ app: text, output: format, ownerType: declared, portal: flag, ...flags }) =>
    Effect.scoped(
      Effect.gen(function* () {
        const name = yield* Named.appOf(text)
        const base = yield* configured(flag)
        // Nothing is asked of a service when all is known.
        const connection = yield* Effect.cached(Connection.appManagement(flags))
        const known = Option.orElse(declared, () => Option.map(AppName.fromPortal(text), (page) => page.ownerType))
        const type = Option.isSome(known) ? known.value : yield* ask((yield* connection).client, name)
        const portalUrl = Option.isSome(base) ? base.value : yield* embedded(yield* connection)
        const url = AppName.toPortal(name, { portalUrl, ownerType: type })
        const record = { owner: name.owner, app: name.app, ownerType: type, url }
        yield* Format.one(format, { lines: () => [TerminalText.line(url)], record, json: record })
      }),
    ),
).pipe(Command.withDescription("Print the address of an app's page in the portal."))
