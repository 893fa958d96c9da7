/** Makes the sinks of routes, with their secrets. */
import * as FileSystem from "effect/FileSystem"
import type * as HttpClient from "effect/http/HttpClient"
import * as Credential from "@vigil/core-http/Credential"
import { InvalidSetting } from "@vigil/core-http/SettingsError"
import * as Config from "effect/Config"
import * as Effect from "effect/Effect"
import * as Match from "effect/Match"
import * as Redacted from "effect/Redacted"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import * as Alertmanager from "./Alertmanager.js"
import type { Secret } from "./internal/routesSchema.js"
import * as PagerDuty from "./PagerDuty.js"
import type { Routes, SinkSettings } from "./Routes.js"
import { type MissingSecret, SecretsError } from "./RoutesError.js"
import type { Sink } from "./Sink.js"
import * as Slack from "./Slack.js"
import * as Teams from "./Teams.js"
import * as Webhook from "./Webhook.js"

/** Options of a sink that are not in the routes. Those of other types are ignored. @category models @since 0.1.0 */
export interface Options extends Omit<Alertmanager.Options, "credential" | "name" | "url"> {}

type Reference = typeof Secret.Type

const readEnv = (name: string) => Effect.mapError(Config.String(name), () => "missing" as const)

/** Larger than any secret. */
const maxBytes = 64 * 1024

/** Only regular files: reading a device or a named pipe may never end. */
const readFile = (file: string) =>
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    if ((yield* files.stat(file)).type !== "File") return yield* Effect.fail("irregular" as const)
    const text = yield* Stream.mkString(Stream.decodeText(files.stream(file, { bytesToRead: maxBytes + 1 })))
    return text.length > maxBytes ? yield* Effect.fail("long" as const) : text
  }).pipe(
    Effect.mapError((error) =>
      typeof error === "string"
        ? error
        : error.reason._tag === "NotFound"
          ? ("missing" as const)
          : ("unreadable" as const),
    ),
  )

const read = (sink: string, field: string, reference: Reference) => {
  const source = reference.env === undefined ? "file" : "env"
  const name = reference[source] ?? ""
  return Effect.gen(function* () {
    const text = (yield* source === "env" ? readEnv(name) : readFile(name)).trim()
    if (text === "") return yield* Effect.fail("empty" as const)
    return [reference, Redacted.make(text)] as const
  }).pipe(Effect.mapError((reason): MissingSecret => ({ sink, field, source, name, reason })))
}

const readAll = (sinks: Routes["sinks"]) => {
  const references = Object.entries(sinks).flatMap(([sink, settings]) =>
    Object.entries(settings).flatMap(([field, value]) =>
      typeof value === "object" ? [[sink, field, value] as const] : [],
    ),
  )
  return Effect.validate(references, (reference) => read(...reference)).pipe(
    Effect.mapBoth({ onSuccess: (all) => new Map(all), onFailure: (secrets) => new SecretsError({ secrets }) }),
  )
}

const construct = (
  settings: SinkSettings,
  options: Options & { readonly name: string },
  secret: (reference: Reference) => Redacted.Redacted,
) =>
  Match.value(settings).pipe(
    Match.discriminatorsExhaustive("type")({
      slack: ({ url }) => Slack.make({ ...options, url: secret(url) }),
      teams: ({ url }) => Teams.make({ ...options, url: secret(url) }),
      pagerduty: ({ routingKey, url }) => PagerDuty.make({ ...options, routingKey: secret(routingKey), url }),
      alertmanager: ({ token, url }) =>
        Alertmanager.make({
          ...options,
          url: typeof url === "string" ? url : secret(url),
          credential: token && Credential.bearer(secret(token)),
        }),
      webhook: ({ secret: key, url }) =>
        Webhook.make({ ...options, url: secret(url), secrets: key === "none" ? key : [secret(key)] }),
    }),
  )

type Field = readonly [name: string, value: Reference | string | undefined]

const fieldsOf = (settings: SinkSettings): ReadonlyArray<Field> =>
  Object.entries(settings).filter(([name, value]) => !["type", "minimumLevel"].includes(name) && value !== "none")

/** Names the field, and where its value is from. The value may be a secret. */
const describe = ([name, value]: Field): string => {
  if (typeof value !== "object") return name
  return `${name} (${value.env !== undefined ? `the environment variable ${value.env}` : `the file ${JSON.stringify(value.file)}`})`
}

/**
 * Makes all sinks of routes. Reads their secrets first: variables of the current `ConfigProvider` (default: the environment), and files. White
 * space around a secret is removed. Fails with `SecretsError`, which lists all secrets that could not be read, or with `InvalidSetting`, which
 * names the sink and its field. `options` returns the options of a sink by its name. Default: none.
 * @category constructors @since 0.1.0
 */
export const make = (
  { sinks }: Routes,
  options: (name: string) => Options = () => ({}),
): Effect.Effect<
  ReadonlyArray<Sink>,
  InvalidSetting | SecretsError,
  FileSystem.FileSystem | HttpClient.HttpClient | Scope.Scope
> =>
  Effect.flatMap(readAll(sinks), (secrets) =>
    Effect.forEach(Object.entries(sinks), ([name, settings]) => {
      const fields = fieldsOf(settings)
      const sink = `the sink ${JSON.stringify(name)}`
      const advice = `Check ${fields.map(describe).join(" and ")} of ${sink} in the routes`
      const secret = (reference: Reference) => secrets.get(reference) ?? Redacted.make("")
      return Effect.mapError(
        construct(settings, { advice, ...options(name), name }, secret),
        ({ expected, setting }) => {
          // The field `secret` of a webhook is its option `secrets.0`.
          const field = fields.find(([field]) => setting.startsWith(field)) ?? ([setting, undefined] as const)
          return new InvalidSetting({ setting: `${describe(field)} of ${sink}`, expected })
        },
      )
    }),
  )
