/** What the command is set to, and by whom: a flag, else the environment, else a file of the project or of the user, else a default. */
import { join } from "node:path"
import * as ApiVersion from "@vigil/health-schema/ApiVersion"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { UsageError } from "../Failure.js"
import * as ConfigFile from "./ConfigFile.js"
import * as Environment from "./Environment.js"
import * as Folders from "./Folders.js"
import * as Secrecy from "./Secrecy.js"

/** Who said what a setting is, and the flag, the variable or the file that says it. */
export interface From {
  readonly kind: "flag" | "environment" | "file" | "default"
  readonly name: string
}

/** A setting. */
export interface Setting {
  readonly value: string
  readonly from: From
}

/** How a setting is called elsewhere, and what it is when nobody says. */
interface Place {
  readonly variable: string
  readonly usual?: string
}

const places: { readonly [K in ConfigFile.Key]: Place } = {
  healthBaseUrl: { variable: "HEALTH_BASE_URL" },
  healthVendor: { variable: "HEALTH_VENDOR", usual: "Vendor" },
  appmgmtBaseUrl: { variable: "APPMGMT_BASE_URL" },
  portalUrl: { variable: "APPMGMT_PORTAL_URL" },
  subscription: { variable: "HEALTH_SUBSCRIPTION" },
  apiVersion: { variable: "HEALTH_API_VERSION", usual: ApiVersion.latest },
  authUrl: { variable: "HEALTH_AUTH_URL" },
  clientId: { variable: "HEALTH_CLIENT_ID" },
  scope: { variable: "HEALTH_SCOPE", usual: "user_impersonation" },
}

/** The variable of a setting. */
export const variable = (key: ConfigFile.Key): string => places[key].variable

/** The files, the one that wins first. */
const files = Effect.map(Folders.config, (own) => [join(process.cwd(), "vigil.config.json"), join(own, "config.json")])

const setting = (kind: From["kind"], name: string) => (value: string) => ({ value, from: { kind, name } })

/** The settings that there are. */
export type All = { readonly [K in ConfigFile.Key]?: Setting }

/** A file of settings that can't be used, and why. */
export interface Broken {
  readonly file: string
  readonly error: UsageError
}

/** Every setting that somebody set, or that has a default, but for flags; and the files that can't be used, without their settings. */
export const read: Effect.Effect<{ readonly settings: All; readonly broken: ReadonlyArray<Broken> }> = Effect.gen(
  function* () {
    const [broken, found] = yield* Effect.partition(yield* files, (file) =>
      Effect.mapBoth(ConfigFile.load(file), {
        onFailure: (error) => ({ file, error }),
        onSuccess: (contents) => ({ file, contents }),
      }),
    )
    const one = (key: ConfigFile.Key) =>
      Effect.map(Environment.text(places[key].variable), (said) => {
        const { usual, variable } = places[key]
        const inFile = found.find(({ contents }) => contents[key] !== undefined)
        return Option.map(said, setting("environment", variable)).pipe(
          Option.orElse(() =>
            Option.flatMap(Option.fromNullable(inFile), ({ contents, file }) =>
              Option.map(Option.fromNullable(contents[key]), setting("file", file)),
            ),
          ),
          Option.orElse(() => Option.map(Option.fromNullable(usual), setting("default", "default"))),
          Option.match({ onNone: () => [], onSome: (value) => [[key, value] as const] }),
        )
      })
    return { settings: Object.fromEntries((yield* Effect.forEach(ConfigFile.keys, one)).flat()), broken }
  },
)

/** Every setting. Fails if a file can't be used. */
export const all: Effect.Effect<All, UsageError> = Effect.flatMap(read, ({ broken: [first], settings }) =>
  first === undefined ? Effect.succeed(settings) : first.error,
)

/** A setting, with the flag that wins over all else. */
export const get = (
  key: ConfigFile.Key,
  flag: { readonly name: string; readonly value: Option.Option<string> } = { name: "", value: Option.none() },
): Effect.Effect<Option.Option<Setting>, UsageError> =>
  Effect.map(all, (settings) =>
    Option.orElse(Option.map(flag.value, setting("flag", flag.name)), () => Option.fromNullable(settings[key])),
  )

/** The value of a setting, when somebody set it. */
export const value = (key: ConfigFile.Key): Effect.Effect<Option.Option<string>, UsageError> =>
  Effect.map(
    get(key),
    Option.map(({ value }) => value),
  )

/** The vendor's name in the paths and fields of health events. Nothing for the default one. */
export const vendor: Effect.Effect<string | undefined, UsageError> = Effect.map(
  value("healthVendor"),
  Option.getOrUndefined,
)

/** The version of the API that settings name. Fails if it is not a supported version. */
export const apiVersionOf = ({ apiVersion }: All): Effect.Effect<ApiVersion.Known, UsageError> => {
  const known = ApiVersion.all.find((version) => version === apiVersion?.value)
  return known === undefined
    ? new UsageError({
        message: `${variable("apiVersion")} is not a supported version. Set it to ${ApiVersion.all.join(" or ")}.`,
      })
    : Effect.succeed(known)
}

/** The version of the API that the settings name. Fails if it is not a supported version, or a file can't be used. */
export const apiVersion: Effect.Effect<ApiVersion.Known, UsageError> = Effect.flatMap(all, apiVersionOf)

/** A setting as it may be shown: an address that is wrong may hold a secret, and is not. */
export const shown = ({ value }: Setting): string =>
  Secrecy.hasUserinfo(value) || /[?#]/.test(value) ? "(not shown: it may hold a secret)" : value
