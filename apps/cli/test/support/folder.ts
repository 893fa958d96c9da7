/** Temporary folders. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Effect from "effect/Effect"

/** Creates a temporary folder, and removes it when the scope closes. */
export const folder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "vigil-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true })),
)
