/** What the command is set to, and by whom: a flag, else the environment, else a file of the project or of the user, else a default. */
import { join } from "node:path"
import * as ApiVersion from "@vigil/health-schema/ApiVersion"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import { UsageError } from "../Failure.js"
import { Output } from "../output/Output.js"
import * as ConfigFile from "./ConfigFile.js"
import * as Environment from "./Environment.js"
import * as ProjectFile from "./ProjectFile.js"
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

const setting = (kind: From["kind"], name: string) => (value: string) => ({ value, from: { kind, name } })

/** The settings that there are. */
export type All = { readonly [K in ConfigFile.Key]?: Setting }

/** A settings file that can't be used, and why. */
interface Broken {
  readonly file: string
  readonly error: UsageError
}

/** A settings file that another user may have written. `reason` is a clause. */
export interface Ignored {
  readonly file: string
  readonly reason: string
}

/** A setting of a project's file that is not used, and why. */
interface Refused {
  readonly file: string
  readonly error: UsageError
}

/** The settings, and what is wrong with the files. A setting is either used or refused. */
export interface Read {
  readonly settings: All
  readonly refused: { readonly [K in ConfigFile.Key]?: Refused }
  readonly broken: ReadonlyArray<Broken>
  readonly ignored: ReadonlyArray<Ignored>
}

/** A settings file that can be used, and its contents. Without a file, they are empty. */
const load = (file: string) =>
  Effect.map(Effect.either(ConfigFile.load(file)), (loaded) => {
    const [broken, ignored]: [ReadonlyArray<Broken>, ReadonlyArray<Ignored>] = [
      Either.isLeft(loaded) ? [{ file, error: loaded.left }] : [],
      Either.isRight(loaded) && loaded.right._tag === "Ignored" ? [{ file, reason: loaded.right.reason }] : [],
    ]
    const usable = Either.isRight(loaded) && loaded.right._tag === "Loaded" ? loaded.right : undefined
    const contents: ConfigFile.Contents = usable?.contents ?? {}
    return { file, broken, ignored, usable, contents }
  })

/** Every setting that is set or has a default, except for flags. A file that can't be used has no settings. */
export const read: Effect.Effect<Read> = Effect.gen(function* () {
  const project = yield* load(yield* ProjectFile.path)
  const user = yield* load(join(yield* Environment.configFolder, "config.json"))
  const objections =
    project.usable === undefined ? {} : yield* ProjectFile.objections(project.file, project.usable, user.contents)
  const settings: { [K in ConfigFile.Key]?: Setting } = {}
  const refused: { [K in ConfigFile.Key]?: Refused } = {}
  for (const key of ConfigFile.keys) {
    const { usual, variable } = places[key]
    const said = yield* Environment.text(variable)
    const objection = objections[key]
    const from = [project, user].find(({ contents }) => contents[key] !== undefined)
    const inFile = from?.contents[key]
    if (Option.isSome(said)) settings[key] = setting("environment", variable)(said.value)
    else if (objection !== undefined) {
      const message = `${objection} Check the file, then run vigil trust to use it, or set ${variable}.`
      refused[key] = { file: project.file, error: new UsageError({ message }) }
    } else if (from !== undefined && inFile !== undefined) settings[key] = setting("file", from.file)(inFile)
    else if (usual !== undefined) settings[key] = setting("default", "default")(usual)
  }
  return {
    settings,
    refused,
    broken: [...project.broken, ...user.broken],
    ignored: [...project.ignored, ...user.ignored],
  }
})

/** Which file is ignored, why, and what to do. */
export const ignoredSentence = ({ file, reason }: Ignored): string =>
  `Ignored ${JSON.stringify(file)}: ${reason}. A settings file and its folder must be yours, and writable by you only (chmod go-w).`

/** Prints a note for each settings file that is ignored. */
export const noteIgnored: Effect.Effect<void, never, Output> = Effect.gen(function* () {
  const { note } = yield* Output
  const { ignored } = yield* read
  yield* Effect.forEach(ignored, (one) => note(`vigil: ${ignoredSentence(one)}`), { discard: true })
})

/** The settings. Fails if a file can't be used. */
const sound: Effect.Effect<Read, UsageError> = Effect.flatMap(
  read,
  (found) => found.broken[0]?.error ?? Effect.succeed(found),
)

/** A setting, with the flag that wins over all else. Fails if a file can't be used, or if the setting is refused. */
export const get = (
  key: ConfigFile.Key,
  flag: { readonly name: string; readonly value: Option.Option<string> } = { name: "", value: Option.none() },
): Effect.Effect<Option.Option<Setting>, UsageError> =>
  Effect.flatMap(sound, ({ refused, settings }) =>
    Option.isSome(flag.value)
      ? Effect.succeedSome(setting("flag", flag.name)(flag.value.value))
      : (refused[key]?.error ?? Effect.succeed(Option.fromNullable(settings[key]))),
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
export const apiVersion: Effect.Effect<ApiVersion.Known, UsageError> = Effect.flatMap(sound, ({ settings }) =>
  apiVersionOf(settings),
)

/** A setting as it may be shown: an address that is wrong may hold a secret, and is not. */
export const shown = ({ value }: Setting): string =>
  Secrecy.hasUserinfo(value) || /[?#]/.test(value) ? "(not shown: it may hold a secret)" : value
