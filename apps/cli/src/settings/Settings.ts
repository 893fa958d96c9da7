/** Settings and their sources: a flag, else the environment, else the user's settings file, else a default. */
import { join } from "node:path"
import * as ApiVersion from "@vigil/health-schema/ApiVersion"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { UsageError } from "../Failure.js"
import * as Output from "../output/Output.js"
import * as ConfigFile from "./ConfigFile.js"
import * as Environment from "./Environment.js"
import * as Secrets from "./Secrets.js"

export interface From {
  readonly kind: "flag" | "environment" | "file" | "default"
  readonly name: string
}

export interface Setting {
  readonly value: string
  readonly from: From
}

const places: { readonly [K in ConfigFile.Key]: { readonly variable: string; readonly default?: string } } = {
  healthBaseUrl: { variable: "HEALTH_BASE_URL" },
  healthVendor: { variable: "HEALTH_VENDOR", default: "Vendor" },
  appmgmtBaseUrl: { variable: "APPMGMT_BASE_URL" },
  portalUrl: { variable: "APPMGMT_PORTAL_URL" },
  subscription: { variable: "HEALTH_SUBSCRIPTION" },
  apiVersion: { variable: "HEALTH_API_VERSION", default: ApiVersion.latest },
  authUrl: { variable: "HEALTH_AUTH_URL" },
  tokenUrl: { variable: "HEALTH_TOKEN_URL" },
  clientId: { variable: "HEALTH_CLIENT_ID" },
  scope: { variable: "HEALTH_SCOPE" },
}

export const variable = (key: ConfigFile.Key): string => places[key].variable

const setting = (kind: From["kind"], name: string, value: string): Setting => ({ value, from: { kind, name } })

export type All = { readonly [K in ConfigFile.Key]?: Setting }

/** Names the source of a setting: the flag, the variable, or the key and the file. */
export const describe = (key: ConfigFile.Key, { kind, name }: From): string =>
  kind === "file" ? `${key} in ${JSON.stringify(name)}` : name

const ignoredSentence = (file: string, reason: string): string =>
  `Ignored ${JSON.stringify(file)}: ${reason}. You must own a settings file and its folder, and only you may write to them (chmod go-w).`

/** Every setting that is set or has a default, except for flags. A file that can't be used has no settings. */
export const read = Effect.gen(function* () {
  const file = join(yield* Environment.configFolder, "config.json")
  const loaded = yield* Effect.result(ConfigFile.load(file))
  const contents: ConfigFile.Contents =
    Result.isSuccess(loaded) && loaded.success._tag === "Loaded" ? loaded.success.contents : {}
  const argv = contents.tokenCommand
  const settings: { [K in ConfigFile.Key]?: Setting } = {}
  for (const key of ConfigFile.keys) {
    const { default: defaultValue, variable } = places[key]
    const inEnvironment = yield* Environment.text(variable)
    const inFile = contents[key]
    if (inEnvironment !== undefined) settings[key] = setting("environment", variable, inEnvironment)
    else if (inFile !== undefined) settings[key] = setting("file", file, inFile)
    else if (defaultValue !== undefined) settings[key] = setting("default", "default", defaultValue)
  }
  return {
    settings: settings as All,
    file,
    /** Why the user's file is unusable. */
    broken: Result.isFailure(loaded) ? loaded.failure : undefined,
    /** Why the file is ignored: another user may have written it. */
    ignored:
      Result.isSuccess(loaded) && loaded.success._tag === "Ignored"
        ? ignoredSentence(file, loaded.success.reason)
        : undefined,
    /** The token command of the file, and the base URL in the same file. */
    tokenCommand: argv && { argv, file, baseUrl: contents.healthBaseUrl },
  }
})

export type Read = Effect.Success<typeof read>

export const noteIgnored = Effect.flatMap(read, ({ ignored }) =>
  ignored === undefined ? Effect.void : Output.note(`vigil: ${ignored}`),
)

const readValid: Effect.Effect<All, UsageError> = Effect.flatMap(
  read,
  ({ broken, settings }) => broken ?? Effect.succeed(settings),
)

interface NamedFlag {
  readonly name: string
  readonly value: string | undefined
}

/** A setting. A flag wins. Fails if the settings file can't be used. */
export const get = (key: ConfigFile.Key, flag?: NamedFlag) =>
  Effect.map(readValid, (settings) =>
    flag?.value === undefined ? settings[key] : setting("flag", flag.name, flag.value),
  )

/** The value of a setting or its flag. Fails if neither is set. */
export const required = (key: ConfigFile.Key, flag: NamedFlag, title: string): Effect.Effect<string, UsageError> =>
  Effect.flatMap(get(key, flag), (setting) =>
    setting === undefined
      ? new UsageError(`${title}: set ${variable(key)}, or pass ${flag.name}.`)
      : Effect.succeed(setting.value),
  )

export const value = (key: ConfigFile.Key) => Effect.map(get(key), (setting) => setting?.value)

export const vendor = value("healthVendor")

export const apiVersionOf = ({ apiVersion }: All): Effect.Effect<ApiVersion.Known, UsageError> => {
  const known = ApiVersion.all.find((version) => version === apiVersion?.value)
  return known === undefined
    ? new UsageError(`${variable("apiVersion")} is not a supported version. Set it to ${ApiVersion.all.join(" or ")}.`)
    : Effect.succeed(known)
}

export const apiVersion: Effect.Effect<ApiVersion.Known, UsageError> = Effect.flatMap(readValid, apiVersionOf)

/** The value for output. An invalid URL may contain a secret and is hidden. */
export const display = ({ value }: Setting): string =>
  Secrets.hasUserinfo(value) || /[?#]/.test(value) ? "(not shown: it may contain a secret)" : value
