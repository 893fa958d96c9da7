/** The project files that the user trusts. Each has an entry in the user's settings folder, named by the hash of its path and content. */
import { createHash } from "node:crypto"
import { promises } from "node:fs"
import { dirname, join } from "node:path"
import * as Effect from "effect/Effect"
import { FileError } from "../Failure.js"
import * as Folders from "./Folders.js"
import * as OwnedFile from "./OwnedFile.js"

const entryOf = (file: string, text: string): Effect.Effect<string> =>
  Effect.map(Folders.config, (folder) =>
    join(
      folder,
      "trusted",
      createHash("sha256")
        .update(JSON.stringify([file, text]))
        .digest("hex"),
    ),
  )

/** Whether the user trusts a file with this text. An entry that another user may have written does not count. */
export const has = (file: string, text: string): Effect.Effect<boolean> =>
  Effect.flatMap(entryOf(file, text), OwnedFile.read).pipe(
    Effect.map(({ _tag }) => _tag === "Text"),
    Effect.orElseSucceed(() => false),
  )

const change = (file: string, text: string, apply: (entry: string) => Promise<void>): Effect.Effect<void, FileError> =>
  Effect.flatMap(entryOf(file, text), (entry) =>
    Effect.tryPromise({
      try: () => apply(entry),
      catch: (error) =>
        new FileError({
          file: entry,
          reason: error instanceof Error && "code" in error ? String(error.code) : "unknown reason",
        }),
    }),
  )

/** Trusts a file with this text. */
export const add = (file: string, text: string): Effect.Effect<void, FileError> =>
  change(file, text, async (entry) => {
    await promises.mkdir(dirname(entry), { recursive: true, mode: 0o700 })
    // An entry with other rights does not count, and would keep them.
    await promises.rm(entry, { force: true })
    await promises.writeFile(entry, `${file}\n`, { flag: "wx", mode: 0o600 })
  })

/** Stops trusting a file with this text. */
export const remove = (file: string, text: string): Effect.Effect<void, FileError> =>
  change(file, text, (entry) => promises.rm(entry, { force: true }))
