/** The settings file of the working folder, which others may have written: a repository brings its own. */
import { join } from "node:path"
import * as Origin from "@vigil/core-http/Origin"
import * as Effect from "effect/Effect"
import type * as ConfigFile from "./ConfigFile.js"
import * as TrustedFiles from "./TrustedFiles.js"

/** Its name. */
export const fileName = "vigil.config.json"

/** Its path, whether it exists or not. */
export const path: Effect.Effect<string> = Effect.sync(() => join(process.cwd(), fileName))

/** The settings that decide where a token goes, which token is granted, or which URL is shown to the user. */
const guarded = ["healthBaseUrl", "appmgmtBaseUrl", "portalUrl", "authUrl", "clientId", "scope"] as const

/** The origin of a setting that is an HTTP URL. */
const originOf = (value: string | undefined): string | undefined => {
  const url = Origin.parseUrl(value ?? "")
  return url !== undefined && Origin.isHttp(url) ? url.origin : undefined
}

/** Why a guarded setting is not used, in a sentence; nothing if the user's own settings name the same origin, or the same text. */
const objection = (key: ConfigFile.Key, theirs: string | undefined, own: string | undefined): string | undefined => {
  if (theirs === undefined) return undefined
  if (!key.endsWith("Url"))
    return theirs === own ? undefined : `sets ${key} to a value that your own settings do not have`
  const origin = originOf(theirs)
  if (origin === undefined) return `sets ${key} to a value that is not a URL`
  return origin === originOf(own)
    ? undefined
    : `sets ${key} to ${origin}, which is not the origin of ${key} in your own settings`
}

/** Why settings are not used, by setting. */
export type Objections = Readonly<Partial<Record<ConfigFile.Key, string>>>

/**
 * The settings of a project's file that are not used, unless the user trusts the file: those that decide where a token goes or which
 * token is granted, if the user's own settings do not confirm them.
 */
export const objections = (
  file: string,
  { contents, text }: Extract<ConfigFile.ConfigFile, { _tag: "Loaded" }>,
  own: ConfigFile.Contents,
): Effect.Effect<Objections> =>
  Effect.map(TrustedFiles.has(file, text), (isTrusted) =>
    isTrusted
      ? {}
      : Object.fromEntries(
          guarded.flatMap((key) => {
            const reason = objection(key, contents[key], own[key])
            return reason === undefined ? [] : [[key, `The file ${JSON.stringify(file)} ${reason}.`]]
          }),
        ),
  )
