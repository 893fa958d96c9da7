/** The settings of a run, read once: from a flag, else the environment, else the user's settings file, else a default. */
import * as ApiVersion from "@vigil/health-schema/ApiVersion"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import { UsageError } from "../kit/Failure.js"
import * as Secrets from "../kit/Secrets.js"
import type * as Argv from "./Argv.js"
import * as ConfigFile from "./ConfigFile.js"
import * as Environment from "./Environment.js"

export interface From {
  readonly kind: "flag" | "environment" | "file" | "default"
  readonly name: string
}

export interface Setting {
  readonly value: string
  readonly from: From
}

export type All = { readonly [K in ConfigFile.Key]?: Setting }

export interface Service {
  /** Every setting that is set or has a default, except for flags. A file that can't be used has no settings. */
  readonly all: All
  /** The IDs of subscriptions by their names in the file. */
  readonly subscriptions: Readonly<Record<string, string>>
  /** The token command of the file, and the base URL in the same file. */
  readonly tokenCommand: { readonly argv: Argv.Argv; readonly baseUrl: string | undefined } | undefined
  /** The path of the user's file. */
  readonly file: string
  /** Why the file is unusable. */
  readonly broken: UsageError | undefined
  /** Why the file is ignored: another user may have written it. */
  readonly ignored: string | undefined
}

export class Settings extends Context.Service<Settings, Service>()("@vigil/cli/Settings") {}

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

/** Names the source of a setting: the flag, the variable, or the key and the file. */
export const describe = (key: ConfigFile.Key, { kind, name }: From): string =>
  kind === "file" ? `${key} in ${JSON.stringify(name)}` : name

const setting = (kind: From["kind"], name: string, value: string): Setting => ({ value, from: { kind, name } })

const ignoredSentence = (file: string, reason: string): string =>
  `Ignored ${JSON.stringify(file)}: ${reason}. You must own a settings file and its folder, and only you may write to them (chmod go-w).`

const read = Effect.gen(function* (): Effect.fn.Return<Service> {
  const file = yield* ConfigFile.path
  const loaded = yield* Effect.result(ConfigFile.load(file))
  const found = Result.getOrUndefined(loaded)
  const contents: ConfigFile.Contents = found?._tag === "Loaded" ? found.contents : {}
  const all: { [K in ConfigFile.Key]?: Setting } = {}
  for (const key of ConfigFile.keys) {
    const { default: defaultValue, variable } = places[key]
    const inEnvironment = yield* Environment.text(variable)
    const inFile = contents[key]
    if (inEnvironment !== undefined) all[key] = setting("environment", variable, inEnvironment)
    else if (inFile !== undefined) all[key] = setting("file", file, inFile)
    else if (defaultValue !== undefined) all[key] = setting("default", "default", defaultValue)
  }
  return {
    all,
    subscriptions: contents.subscriptions ?? {},
    tokenCommand: contents.tokenCommand && { argv: contents.tokenCommand, baseUrl: contents.healthBaseUrl },
    file,
    broken: Result.isFailure(loaded) ? loaded.failure : undefined,
    ignored: found?._tag === "Ignored" ? ignoredSentence(file, found.reason) : undefined,
  }
})

export const layer: Layer.Layer<Settings> = Layer.effect(Settings, read)

interface NamedFlag {
  readonly name: string
  readonly value: string | undefined
}

/** A setting. A flag wins. */
export const get = (key: ConfigFile.Key, flag?: NamedFlag) =>
  Effect.map(Settings, ({ all }) => (flag?.value === undefined ? all[key] : setting("flag", flag.name, flag.value)))

/** The value of a setting or its flag. Fails with `UsageError` if neither is set. */
export const required = (key: ConfigFile.Key, flag: NamedFlag, title: string) =>
  Effect.flatMap(get(key, flag), (setting) =>
    setting === undefined
      ? new UsageError(`${title}: set ${variable(key)}, or pass ${flag.name}.`)
      : Effect.succeed(setting.value),
  )

export const vendor = Effect.map(get("healthVendor"), (setting) => setting?.value)

/** The version of the flag or the setting. Fails with `UsageError` if that of the environment is not supported. */
export const apiVersion = (flag?: ApiVersion.Known): Effect.Effect<ApiVersion.Known, UsageError, Settings> =>
  Effect.flatMap(get("apiVersion"), (setting) => {
    const known = flag ?? ApiVersion.all.find((version) => version === setting?.value)
    return known === undefined
      ? new UsageError(
          `${variable("apiVersion")} is not a supported version. Set it to ${ApiVersion.all.join(" or ")}.`,
        )
      : Effect.succeed(known)
  })

/** The value for output. An invalid URL may contain a secret and is hidden. */
export const display = ({ value }: Setting): string =>
  Secrets.hasUserinfo(value) || /[?#]/.test(value) ? "(not shown: it may contain a secret)" : value
