/** Settings and their sources: a flag, else the environment, else the user's settings file, else a default. */
import { join } from "node:path"
import * as ApiVersion from "@vigil/health-schema/ApiVersion"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Option from "effect/Option"
import { UsageError } from "../Failure.js"
import * as Output from "../output/Output.js"
import type * as Argv from "./Argv.js"
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

interface Place {
  readonly variable: string
  readonly default?: string
}

const places: { readonly [K in ConfigFile.Key]: Place } = {
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

/** The token command of the user's file, and the base URL in the same file. */
export interface FileCommand {
  readonly argv: Argv.Argv
  readonly file: string
  readonly baseUrl: string | undefined
}

/** `broken` says why the user's file is unusable. `ignored` says why it is ignored: another user may have written it. */
export interface Read {
  readonly settings: All
  readonly file: string
  readonly broken: Option.Option<UsageError>
  readonly ignored: Option.Option<string>
  readonly tokenCommand: Option.Option<FileCommand>
}

const ignoredSentence = (file: string, reason: string): string =>
  `Ignored ${JSON.stringify(file)}: ${reason}. You must own a settings file and its folder, and only you may write to them (chmod go-w).`

/** Every setting that is set or has a default, except for flags. A file that can't be used has no settings. */
export const read: Effect.Effect<Read> = Effect.gen(function* () {
  const file = join(yield* Environment.configFolder, "config.json")
  const loaded = yield* Effect.result(ConfigFile.load(file))
  const contents: ConfigFile.Contents =
    Result.isSuccess(loaded) && loaded.success._tag === "Loaded" ? loaded.success.contents : {}
  const settings: { [K in ConfigFile.Key]?: Setting } = {}
  for (const key of ConfigFile.keys) {
    const { default: defaultValue, variable } = places[key]
    const variableText = yield* Environment.text(variable)
    const inFile = contents[key]
    if (Option.isSome(variableText)) settings[key] = setting("environment", variable, variableText.value)
    else if (inFile !== undefined) settings[key] = setting("file", file, inFile)
    else if (defaultValue !== undefined) settings[key] = setting("default", "default", defaultValue)
  }
  return {
    settings,
    file,
    broken: Result.getFailure(loaded),
    ignored:
      Result.isSuccess(loaded) && loaded.success._tag === "Ignored"
        ? Option.some(ignoredSentence(file, loaded.success.reason))
        : Option.none(),
    tokenCommand: Option.map(Option.fromNullishOr(contents.tokenCommand), (argv) => ({
      argv,
      file,
      baseUrl: contents.healthBaseUrl,
    })),
  }
})

export const noteIgnored: Effect.Effect<void, never, Output.Output> = Effect.flatMap(read, ({ ignored }) =>
  Option.match(ignored, { onNone: () => Effect.void, onSome: (sentence) => Output.note(`vigil: ${sentence}`) }),
)

const readValid: Effect.Effect<All, UsageError> = Effect.flatMap(read, ({ broken, settings }) =>
  Option.getOrElse(broken, () => Effect.succeed(settings)),
)

/** A setting. A flag wins. Fails if the settings file can't be used. */
export const get = (
  key: ConfigFile.Key,
  flag: { readonly name: string; readonly value: Option.Option<string> } = { name: "", value: Option.none() },
) =>
  Effect.map(readValid, (settings) =>
    Option.match(flag.value, {
      onNone: () => Option.fromNullishOr(settings[key]),
      onSome: (value) => Option.some(setting("flag", flag.name, value)),
    }),
  )

/** The value of a setting or its flag. Fails if neither is set. */
export const required = (
  key: ConfigFile.Key,
  flag: { readonly name: string; readonly value: Option.Option<string> },
  title: string,
) =>
  Effect.flatMap(
    get(key, flag),
    Option.match({
      onSome: ({ value }) => Effect.succeed(value),
      onNone: () => new UsageError(`${title}: set ${variable(key)}, or pass ${flag.name}.`),
    }),
  )

export const value = (key: ConfigFile.Key): Effect.Effect<Option.Option<string>, UsageError> =>
  Effect.map(
    get(key),
    Option.map(({ value }) => value),
  )

export const vendor: Effect.Effect<string | undefined, UsageError> = Effect.map(
  value("healthVendor"),
  Option.getOrUndefined,
)

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
