/** An empty workspace for a test: a working folder, and folders for settings and tokens. */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import * as Effect from "effect/Effect"
import { vi } from "vitest"

export interface Workspace {
  /** The working folder. */
  readonly folder: string
  /** The user's settings file. */
  readonly user: string
  readonly tokenFile: (service: "health" | "apps") => string
  readonly write: (file: string, text: string, mode?: number) => void
  /** Returns every file of the workspace. */
  readonly files: () => ReadonlyArray<{ readonly file: string; readonly text: string; readonly mode: number }>
}

/** Creates a workspace. It stubs environment variables and `process.cwd`, which tests restore. */
export const makeWorkspace = Effect.map(
  Effect.acquireRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), "vigil-workspace-"))),
    (root) => Effect.sync(() => rmSync(root, { recursive: true, force: true })),
  ),
  (root): Workspace => {
    const folder = join(root, "work")
    mkdirSync(folder)
    vi.spyOn(process, "cwd").mockReturnValue(folder)
    vi.stubEnv("XDG_CONFIG_HOME", join(root, "config"))
    vi.stubEnv("XDG_DATA_HOME", join(root, "data"))
    vi.stubEnv("HEALTH_ACCESS_TOKEN", "")
    return {
      folder,
      user: join(root, "config", "vigil", "config.json"),
      tokenFile: (service) => join(root, "data", "vigil", `${service}.token`),
      write: (file, text, mode = 0o600) => {
        mkdirSync(dirname(file), { recursive: true })
        writeFileSync(file, text, { mode })
      },
      files: () =>
        existsSync(root)
          ? readdirSync(root, { recursive: true, withFileTypes: true })
              .filter((entry) => entry.isFile())
              .map((entry) => join(entry.parentPath, entry.name))
              .map((file) => ({ file, text: readFileSync(file, "utf8"), mode: statSync(file).mode & 0o777 }))
          : [],
    }
  },
)
