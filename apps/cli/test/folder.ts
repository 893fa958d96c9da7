/** A folder for a test's files. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Effect from "effect/Effect"

/** A new folder, gone with all that is in it when its scope ends. */
export const folder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "vigil-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true })),
)
