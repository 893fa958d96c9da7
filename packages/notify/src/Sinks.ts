/** Makes the sinks of routes, with their secrets. */
import * as FileSystem from "@effect/platform/FileSystem"
import * as Config from "effect/Config"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import type { Secret } from "./internal/routesSchema.js"
import type { Routes, SinkSettings } from "./Routes.js"
import { type MissingSecret, SecretsError } from "./RoutesError.js"
import type { Sink } from "./Sink.js"

type Reference = typeof Secret.Type

/** The types of sinks, such as `slack`. @category models @since 0.1.0 */
export type Type = SinkSettings["type"]

type WithSecrets<Settings> = {
  readonly [Field in keyof Settings]: [Extract<Settings[Field], Reference>] extends [never]
    ? Settings[Field]
    : Redacted.Redacted<string>
}

/** The settings of a type of sink, with secrets instead of references. @category models @since 0.1.0 */
export type Settings<T extends Type = Type> = WithSecrets<Extract<SinkSettings, { readonly type: T }>>

/** A function per type that makes a sink. @category models @since 0.1.0 */
export type Constructors<E, R> = {
  readonly [T in Type]: (name: string, settings: Settings<T>) => Effect.Effect<Sink, E, R>
}

const readEnv = (name: string): Effect.Effect<string, MissingSecret["reason"]> =>
  Effect.mapError(Config.string(name), () => "missing" as const)

const readFile = (file: string): Effect.Effect<string, MissingSecret["reason"], FileSystem.FileSystem> =>
  Effect.flatMap(FileSystem.FileSystem, (files) => files.readFileString(file)).pipe(
    Effect.mapError((error) =>
      error._tag === "SystemError" && error.reason === "NotFound" ? "missing" : "unreadable",
    ),
  )

const read = (
  sink: string,
  field: string,
  reference: Reference,
): Effect.Effect<Redacted.Redacted<string>, MissingSecret, FileSystem.FileSystem> => {
  const [source, name] = "env" in reference ? (["env", reference.env] as const) : (["file", reference.file] as const)
  const text = source === "env" ? readEnv(name) : readFile(name)
  return Effect.map(text, (text) => text.trim()).pipe(
    Effect.filterOrFail(
      (text) => text !== "",
      () => "empty" as const,
    ),
    Effect.mapBoth({
      onSuccess: (text) => Redacted.make(text),
      onFailure: (reason) => ({ sink, field, source, name, reason }),
    }),
  )
}

/**
 * Reads the secrets: variables of the current `ConfigProvider` (default: the environment), and files. White space around a secret is removed.
 * The error lists all secrets that could not be read.
 * @category secrets @since 0.1.0
 */
export const secrets = ({
  sinks,
}: Routes): Effect.Effect<ReadonlyMap<string, Settings>, SecretsError, FileSystem.FileSystem> =>
  Effect.gen(function* () {
    const missing: Array<MissingSecret> = []
    const settings = yield* Effect.forEach(Object.entries(sinks), ([name, sink]) => {
      const secret = (field: string, reference: Reference) =>
        Effect.catchAll(read(name, field, reference), (problem) => {
          missing.push(problem)
          return Effect.succeed(Redacted.make(""))
        })
      const withSecrets = (): Effect.Effect<Settings, never, FileSystem.FileSystem> => {
        switch (sink.type) {
          case "slack":
          case "teams":
            return Effect.map(secret("url", sink.url), (url) => ({ ...sink, url }))
          case "pagerduty":
            return Effect.map(secret("routingKey", sink.routingKey), (routingKey) => ({ ...sink, routingKey }))
          case "alertmanager": {
            const { token, url, ...settings } = sink
            const fields = {
              url: typeof url === "string" ? Effect.succeed(Redacted.make(url)) : secret("url", url),
              ...(token === undefined ? {} : { token: secret("token", token) }),
            }
            return Effect.map(Effect.all(fields), (secrets) => ({ ...settings, ...secrets }))
          }
          case "webhook": {
            const fields = { url: secret("url", sink.url), secret: secret("secret", sink.secret) }
            return Effect.map(Effect.all(fields), (secrets) => ({ ...sink, ...secrets }))
          }
        }
      }
      return Effect.map(withSecrets(), (settings) => [name, settings] as const)
    })
    return missing.length > 0 ? yield* new SecretsError({ secrets: missing }) : new Map(settings)
  })

/**
 * Makes all sinks of routes: reads their secrets, then calls the constructor of each type.
 * @category constructors @since 0.1.0
 */
export const make = <E, R>(
  routes: Routes,
  constructors: Constructors<E, R>,
): Effect.Effect<ReadonlyArray<Sink>, E | SecretsError, R | FileSystem.FileSystem> => {
  const construct = <T extends Type>(type: T, name: string, settings: Settings<T>) => constructors[type](name, settings)
  return Effect.flatMap(secrets(routes), (sinks) =>
    Effect.forEach(sinks, ([name, settings]) => construct(settings.type, name, settings)),
  )
}
