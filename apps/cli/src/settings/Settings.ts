/** The settings of a run, read once: from a flag, else the environment, else the user's settings file, else a default. */
import * as SubscriptionId from "@vigil/health-client/SubscriptionId"
import * as ApiVersion from "@vigil/health-schema/ApiVersion"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Record from "effect/Record"
import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import { join } from "node:path"
import * as BoundedFile from "../files/BoundedFile.js"
import * as Flag from "../flags/Flag.js"
import { UsageError } from "../flags/UsageError.js"
import * as Argv from "./Argv.js"
import * as Environment from "./Environment.js"
import * as RequestedVersion from "./RequestedVersion.js"
import * as Secrets from "./Secrets.js"
import * as SubscriptionList from "./SubscriptionList.js"
import type * as SubscriptionNames from "./SubscriptionNames.js"

/** The settings that are texts or booleans, and their variables in the environment. */
const variables = {
  healthBaseUrl: "HEALTH_BASE_URL",
  healthVendor: "HEALTH_VENDOR",
  healthWithoutTenant: "HEALTH_WITHOUT_TENANT",
  appmgmtBaseUrl: "APPMGMT_BASE_URL",
  portalUrl: "APPMGMT_PORTAL_URL",
  apiVersion: "HEALTH_API_VERSION",
  authUrl: "HEALTH_AUTH_URL",
  tokenUrl: "HEALTH_TOKEN_URL",
  clientId: "HEALTH_CLIENT_ID",
  scope: "HEALTH_SCOPE",
}

export type Key = keyof typeof variables

export const keys = Struct.keys(variables)

const defaults: { readonly [K in Key]?: string } = { healthVendor: "Vendor", apiVersion: ApiVersion.defaultVersion }

const fields = {
  ...Record.map(variables, () => Schema.NonEmptyString),
  healthWithoutTenant: Schema.Boolean,
  apiVersion: RequestedVersion.schema,
  subscriptions: SubscriptionList.schema,
  tokenCommand: Argv.Argv,
}

/** Keys of earlier releases. */
const earlier = { subscription: Schema.NonEmptyString }

const Contents = Schema.Struct({ ...fields, ...earlier }).mapFields(Struct.map(Schema.optionalKey))

const expected: Readonly<Record<string, string>> = {
  apiVersion: RequestedVersion.expected,
  healthWithoutTenant: "true or false",
  subscriptions: SubscriptionList.expected,
  tokenCommand: `an array of texts: ${Argv.expected}`,
}

/** The value may be a secret and is not shown. */
const mistakeOf = (file: string, name: string, value: unknown): string | undefined => {
  const where = `in ${JSON.stringify(file)}`
  const key = JSON.stringify(name)
  if (!Object.hasOwn({ ...fields, ...earlier }, name))
    return Secrets.isSecretName(name)
      ? `${key} ${where} looks like a secret. Settings files must not contain secrets: remove it, and treat it as leaked if others may read the file. ${Secrets.advice}`
      : `Unknown setting ${key}: remove it from ${JSON.stringify(file)}. The settings are ${Object.keys(fields).join(", ")}.`
  if (typeof value === "string" && Secrets.hasUserinfo(value))
    return `${key} ${where} is a URL with a user or a password. Remove them. ${Secrets.advice}`
  return Schema.is(Contents)({ [name]: value })
    ? undefined
    : `${key} ${where} is not ${expected[name] ?? "a non-empty text"}.`
}

/** The names of 10,000 subscriptions fit. */
const maxBytes = 4 * 1024 * 1024

/** Parses the text of a settings file. Fails with a `UsageError` that names the file and the key. */
export const parse = Effect.fnUntraced(function* (file: string, json: string) {
  const refuse = (message: string) => new UsageError(message)
  if (Buffer.byteLength(json) > maxBytes)
    return yield* refuse(`The settings in ${JSON.stringify(file)} are larger than ${maxBytes / 1024} KB.`)
  // The parser's message may contain secrets of the file.
  const value = yield* Effect.try({
    try: (): unknown => JSON.parse(json.replace(/^\ufeff/, "")),
    catch: () => refuse(`The settings in ${JSON.stringify(file)} are not valid JSON. Fix or remove the file.`),
  })
  if (!Predicate.isObject(value))
    return yield* refuse(`The settings in ${JSON.stringify(file)} are not a JSON object, such as {}.`)
  for (const [name, setting] of Object.entries(value)) {
    const message = mistakeOf(file, name, setting)
    if (message !== undefined) return yield* refuse(message)
  }
  return Schema.decodeUnknownSync(Contents)(value)
})

/** The path of the user's settings file. It must not contain secrets. */
export const path = Effect.map(Environment.configFolder, (folder) => join(folder, "config.json"))

interface Found {
  readonly contents: typeof Contents.Type
  /** Why the file is unusable. */
  readonly broken?: UsageError
  /** Why the file is ignored: another user may have written it. */
  readonly ignored?: string
}

/** A file that can't be used has no settings. */
const load = (file: string): Effect.Effect<Found> =>
  BoundedFile.readOwned(file, maxBytes).pipe(
    Effect.flatMap((text) => parse(file, text)),
    Effect.map((contents): Found => ({ contents })),
    Effect.catch((error) => {
      const found: Found = { contents: {} }
      if (error._tag === "UsageError") return Effect.succeed({ ...found, broken: error })
      if (error.reason === "missing") return Effect.succeed(found)
      const name = JSON.stringify(file)
      const ignored = `Ignored ${name}: ${error.detail}. You must own a settings file and its folder, and only you may write to them (chmod go-w).`
      if (error.reason === "refused") return Effect.succeed({ ...found, ignored })
      const broken = new UsageError(`The settings file ${name} ${BoundedFile.explain(error)}.`)
      return Effect.succeed({ ...found, broken })
    }),
  )

export interface From {
  readonly kind: "flag" | "environment" | "file" | "default"
  readonly name: string
}

export interface Setting {
  readonly value: string
  readonly from: From
}

export type All = { readonly [K in Key]?: Setting }

export interface Service extends Omit<Found, "contents"> {
  /** Every setting that is set or has a default, except for flags. */
  readonly all: All
  /** The names of subscriptions in the file and the environment. */
  readonly names: SubscriptionNames.SubscriptionNames
  /** The subscriptions to read. */
  readonly subscriptions: SubscriptionList.Given | undefined
  /** The token command of the file, and the base URL in the same file. */
  readonly tokenCommand: { readonly argv: Argv.Argv; readonly baseUrl: string | undefined } | undefined
  /** The path of the user's file. */
  readonly file: string
}

export class Settings extends Context.Service<Settings, Service>()("@vigil/cli/Settings") {}

export const variable = (key: Key): string => variables[key]

/** Names the source of a setting: the flag, the variable, or the key and the file. */
export const describe = (key: Key | "subscriptions", { kind, name }: From): string =>
  kind === "file" ? `${key} in ${JSON.stringify(name)}` : name

const setting = (kind: From["kind"], name: string, value: string | undefined): Setting | undefined =>
  value === undefined ? undefined : { value, from: { kind, name } }

const read = Effect.gen(function* (): Effect.fn.Return<Service> {
  const file = yield* path
  const { contents, ...problems } = yield* load(file)
  const all: { [K in Key]?: Setting } = {}
  for (const key of keys) {
    const found =
      setting("environment", variables[key], yield* Environment.text(variables[key])) ??
      setting("file", file, contents[key]?.toString()) ??
      setting("default", "default", defaults[key])
    if (found !== undefined) all[key] = found
  }
  const { healthBaseUrl: baseUrl, tokenCommand: argv } = contents
  const list = SubscriptionList.make(yield* Environment.text(SubscriptionList.variable), contents, file)
  return { ...problems, ...list, all, file, tokenCommand: argv && { argv, baseUrl } }
})

export const layer: Layer.Layer<Settings> = Layer.effect(Settings, read)

interface NamedFlag {
  readonly name: string
  readonly value: string | undefined
}

/** A setting. A flag wins. */
export const get = (key: Key, flag?: NamedFlag) =>
  Effect.map(Settings, ({ all }) => (flag && setting("flag", flag.name, flag.value)) ?? all[key])

/** The value of a setting or its flag. Fails with `UsageError` if neither is set. */
export const required = (key: Key, flag: NamedFlag, title: string) =>
  Effect.flatMap(get(key, flag), (setting) =>
    setting === undefined
      ? new UsageError(`${title}: set ${variable(key)}, or pass ${flag.name}.`)
      : Effect.succeed(setting.value),
  )

export const vendor = Effect.map(get("healthVendor"), (setting) => setting?.value)

/** Whether the tenant is left out. Fails with `UsageError` if that of the environment is not a boolean. */
export const withoutTenant: Effect.Effect<boolean, UsageError, Settings> = Effect.flatMap(
  get("healthWithoutTenant"),
  (setting) => Environment.parseBoolean(variable("healthWithoutTenant"), setting?.value ?? "0"),
)

/** The version of the flag or the setting, else `fallback`. Fails with `UsageError` if that of the environment is not of the form of one. */
export const apiVersion = (
  flag: ApiVersion.ApiVersion | undefined,
  fallback: ApiVersion.Known = ApiVersion.defaultVersion,
): Effect.Effect<ApiVersion.ApiVersion, UsageError, Settings> =>
  Effect.flatMap(get("apiVersion"), (setting) => {
    const version = flag ?? (setting?.from.kind === "default" ? fallback : setting?.value)
    return Option.match(RequestedVersion.decode(version), {
      onNone: () => new UsageError(`${variable("apiVersion")} is invalid: set it to ${RequestedVersion.expected}.`),
      onSome: (version) => Effect.succeed(version),
    })
  })

const subscriptionId = Flag.parsed("id", "an ID without slashes", Schema.decodeOption(SubscriptionId.SubscriptionId))

/** Returns the ID of a subscription's name, or the text itself as an ID. `from` names the flag or the setting in errors. */
export const parseSubscription = ({ idOf }: SubscriptionNames.SubscriptionNames, text: string, from: string) =>
  subscriptionId.parse(idOf(text), from)

/** The value for output. An invalid URL may contain a secret and is hidden. */
export const display = ({ value }: Setting): string =>
  Secrets.hasUserinfo(value) || /[?#]/.test(value) ? "(not shown: it may contain a secret)" : value
