/** A place of a test's own: an empty working folder, and empty folders for settings and for what is kept. */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import * as Effect from "effect/Effect"
import { vi } from "vitest"

/** The place, and what stands in its files. */
export interface Place {
  readonly project: string
  readonly user: string
  readonly tokenFile: (service: "health" | "apps") => string
  readonly write: (file: string, text: string, mode?: number) => void
  /** Every file under it. */
  readonly files: () => ReadonlyArray<{ readonly file: string; readonly text: string; readonly mode: number }>
}

/** Stubs the environment: unstub it, and restore the mocks, after each test. */
export const place = Effect.map(
  Effect.acquireRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), "vigil-place-"))),
    (root) => Effect.sync(() => rmSync(root, { recursive: true, force: true })),
  ),
  (root): Place => {
    const project = join(root, "work")
    mkdirSync(project)
    vi.spyOn(process, "cwd").mockReturnValue(project)
    vi.stubEnv("XDG_CONFIG_HOME", join(root, "config"))
    vi.stubEnv("XDG_DATA_HOME", join(root, "data"))
    return {
      project: join(project, "vigil.config.json"),
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
