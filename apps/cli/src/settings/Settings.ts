/** Settings and their sources: a flag, else the environment, else a file of the project or of the user, else a default. */
import { join } from "node:path"
import * as ApiVersion from "@vigil/health-schema/ApiVersion"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import { UsageError } from "../Failure.js"
import * as Output from "../output/Output.js"
import type * as Argv from "./Argv.js"
import * as ConfigFile from "./ConfigFile.js"
import * as Environment from "./Environment.js"
import * as ProjectFile from "./ProjectFile.js"
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

export const defaultScope = "user_impersonation"

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
  scope: { variable: "HEALTH_SCOPE", default: defaultScope },
}

export const variable = (key: ConfigFile.Key): string => places[key].variable

const setting = (kind: From["kind"], name: string, value: string): Setting => ({ value, from: { kind, name } })

export type All = { readonly [K in ConfigFile.Key]?: Setting }

interface FileProblem {
  readonly file: string
  readonly error: UsageError
}

/** Names the source of a setting: the flag, the variable, or the key and the file. */
export const describe = (key: ConfigFile.Key, { kind, name }: From): string =>
  kind === "file" ? `${key} in ${JSON.stringify(name)}` : name

/** A settings file that another user may have written. `reason` is a clause. */
export interface Ignored {
  readonly file: string
  readonly reason: string
}

/** The token command of the user's own file, and the base URL in the same file. */
export interface FileCommand {
  readonly argv: Argv.Argv
  readonly file: string
  readonly baseUrl: string | undefined
}

/**
 * `untrusted`: settings of an untrusted project file. `broken`: unusable files. `ignored`: files another user may have written. `tokenCommand`:
 * that of the user's own file.
 */
export interface Read {
  readonly settings: All
  readonly untrusted: { readonly [K in ConfigFile.Key]?: FileProblem }
  readonly broken: ReadonlyArray<FileProblem>
  readonly ignored: ReadonlyArray<Ignored>
  readonly tokenCommand: Option.Option<FileCommand>
}

const load = (owner: ConfigFile.Owner, file: string) =>
  Effect.map(Effect.either(ConfigFile.load(owner, file)), (loaded) => {
    const [broken, ignored]: [ReadonlyArray<FileProblem>, ReadonlyArray<Ignored>] = [
      Either.isLeft(loaded) ? [{ file, error: loaded.left }] : [],
      Either.isRight(loaded) && loaded.right._tag === "Ignored" ? [{ file, reason: loaded.right.reason }] : [],
    ]
    const usable = Either.isRight(loaded) && loaded.right._tag === "Loaded" ? loaded.right : undefined
    const contents: ConfigFile.Contents = usable?.contents ?? {}
    return { file, broken, ignored, usable, contents }
  })

/** Every setting that is set or has a default, except for flags. A file that can't be used has no settings. */
export const read: Effect.Effect<Read> = Effect.gen(function* () {
  const project = yield* load("project", yield* ProjectFile.path)
  const user = yield* load("user", join(yield* Environment.configFolder, "config.json"))
  const objections =
    project.usable === undefined ? {} : yield* ProjectFile.objections(project.file, project.usable, user.contents)
  const settings: { [K in ConfigFile.Key]?: Setting } = {}
  const untrusted: { [K in ConfigFile.Key]?: FileProblem } = {}
  for (const key of ConfigFile.keys) {
    const { default: defaultValue, variable } = places[key]
    const variableText = yield* Environment.text(variable)
    const objection = objections[key]
    const from = [project, user].find(({ contents }) => contents[key] !== undefined)
    const inFile = from?.contents[key]
    if (Option.isSome(variableText)) settings[key] = setting("environment", variable, variableText.value)
    else if (objection !== undefined) {
      const message = `${objection} Check the file, then run vigil trust to use it, or set ${variable}.`
      untrusted[key] = { file: project.file, error: new UsageError(message) }
    } else if (from !== undefined && inFile !== undefined) settings[key] = setting("file", from.file, inFile)
    else if (defaultValue !== undefined) settings[key] = setting("default", "default", defaultValue)
  }
  return {
    settings,
    untrusted,
    broken: [...project.broken, ...user.broken],
    ignored: [...project.ignored, ...user.ignored],
    tokenCommand: Option.map(Option.fromNullable(user.contents.tokenCommand), (argv) => ({
      argv,
      file: user.file,
      baseUrl: user.contents.healthBaseUrl,
    })),
  }
})

export const ignoredSentence = ({ file, reason }: Ignored): string =>
  `Ignored ${JSON.stringify(file)}: ${reason}. You must own a settings file and its folder, and only you may write to them (chmod go-w).`

export const noteIgnored: Effect.Effect<void, never, Output.Output> = Effect.gen(function* () {
  const { ignored } = yield* read
  yield* Effect.forEach(ignored, (one) => Output.note(`vigil: ${ignoredSentence(one)}`), { discard: true })
})

const readValid: Effect.Effect<Read, UsageError> = Effect.flatMap(
  read,
  (result) => result.broken[0]?.error ?? Effect.succeed(result),
)

/** A setting. A flag wins. Fails if a file can't be used or if the setting comes from an untrusted file. */
export const get = (
  key: ConfigFile.Key,
  flag: { readonly name: string; readonly value: Option.Option<string> } = { name: "", value: Option.none() },
) =>
  Effect.flatMap(readValid, ({ untrusted, settings }) =>
    Option.isSome(flag.value)
      ? Effect.succeedSome(setting("flag", flag.name, flag.value.value))
      : (untrusted[key]?.error ?? Effect.succeed(Option.fromNullable(settings[key]))),
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

export const apiVersion: Effect.Effect<ApiVersion.Known, UsageError> = Effect.flatMap(readValid, ({ settings }) =>
  apiVersionOf(settings),
)

/** The value for output. An invalid URL may contain a secret and is hidden. */
export const display = ({ value }: Setting): string =>
  Secrets.hasUserinfo(value) || /[?#]/.test(value) ? "(not shown: it may contain a secret)" : value
