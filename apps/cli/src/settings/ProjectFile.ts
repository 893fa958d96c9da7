/** The settings file of the working folder. Others may have written it, so the user must trust it before it decides where tokens go. */
import { createHash } from "node:crypto"
import { promises } from "node:fs"
import { dirname, join } from "node:path"
import * as Origin from "@vigil/core-http/Origin"
import * as Effect from "effect/Effect"
import { codeOf } from "../ErrorCode.js"
import { FileError } from "../Failure.js"
import type * as ConfigFile from "./ConfigFile.js"
import * as Environment from "./Environment.js"
import * as OwnedFile from "./OwnedFile.js"

export const fileName = "vigil.config.json"

export const path: Effect.Effect<string> = Effect.sync(() => join(process.cwd(), fileName))

const hash = (text: string): string => createHash("sha256").update(text).digest("hex")

/** The entry of a file contains the hash of its trusted text. */
const entryOf = (file: string): Effect.Effect<string> =>
  Effect.map(Environment.configFolder, (folder) => join(folder, "trusted", hash(file)))

/** Whether the user trusts a file with this text. An entry that another user may have written does not count. */
const isTrustedText = (file: string, text: string): Effect.Effect<boolean> =>
  Effect.flatMap(entryOf(file), OwnedFile.read).pipe(
    Effect.map((entry) => entry._tag === "Text" && entry.text.trim() === hash(text)),
    Effect.orElseSucceed(() => false),
  )

const change = (file: string, apply: (entry: string) => Promise<void>): Effect.Effect<void, FileError> =>
  Effect.flatMap(entryOf(file), (entry) =>
    Effect.tryPromise({
      try: () => apply(entry),
      catch: (error) =>
        new FileError({
          file: entry,
          reason: codeOf(error) ?? "unknown reason",
        }),
    }),
  )

export const trust = (file: string, text: string): Effect.Effect<void, FileError> =>
  change(file, async (entry) => {
    await promises.mkdir(dirname(entry), { recursive: true, mode: 0o700 })
    // Writing to an existing entry would keep its mode, and an entry with other permissions does not count.
    await promises.rm(entry, { force: true })
    await promises.writeFile(entry, `${hash(text)}\n`, { flag: "wx", mode: 0o600 })
  })

export const distrust = (file: string): Effect.Effect<void, FileError> =>
  change(file, (entry) => promises.rm(entry, { force: true }))

/** The settings that decide where a token goes, which token is granted, or which URL is shown to the user. */
const guarded = ["healthBaseUrl", "appmgmtBaseUrl", "portalUrl", "authUrl", "tokenUrl", "clientId", "scope"] as const

const originOf = (value: string | undefined): string | undefined => {
  const url = Origin.parseUrl(value ?? "")
  return url !== undefined && Origin.isHttp(url) ? url.origin : undefined
}

/** Why a guarded setting is not used, unless the user's own settings have the same origin or text. */
const objection = (key: ConfigFile.Key, theirs: string | undefined, own: string | undefined): string | undefined => {
  if (theirs === undefined) return undefined
  // The path of a token URL may name another tenant.
  if (!key.endsWith("Url") || key === "tokenUrl")
    return theirs === own ? undefined : `sets ${key} to a value that your own settings do not have`
  const origin = originOf(theirs)
  if (origin === undefined) return `sets ${key} to a value that is not a URL`
  return origin === originOf(own)
    ? undefined
    : `sets ${key} to ${origin}, which is not the origin of ${key} in your own settings`
}

/** The guarded settings of an untrusted file that the user's own settings do not confirm, with the reason. */
export const objections = (
  file: string,
  { contents, text }: Extract<ConfigFile.ConfigFile, { _tag: "Loaded" }>,
  own: ConfigFile.Contents,
): Effect.Effect<{ readonly [K in ConfigFile.Key]?: string }> =>
  Effect.map(isTrustedText(file, text), (isTrusted) =>
    isTrusted
      ? {}
      : Object.fromEntries(
          guarded.flatMap((key) => {
            const reason = objection(key, contents[key], own[key])
            return reason === undefined ? [] : [[key, `The file ${JSON.stringify(file)} ${reason}.`]]
          }),
        ),
  )
