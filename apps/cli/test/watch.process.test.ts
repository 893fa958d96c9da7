import { spawn } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll, describe, expect, it } from "vitest"

const bin = fileURLToPath(new URL("../dist/bin.js", import.meta.url))
const folder = mkdtempSync(join(tmpdir(), "vigil-watch-"))

afterAll(() => {
  rmSync(folder, { recursive: true })
})

/** Runs `vigil events watch` as a process of its own; `look` sees it once it has printed something. */
const watch = (file: string, look: (child: ReturnType<typeof spawn>) => void) =>
  new Promise<{ readonly code: number | null; readonly stderr: string }>((resolve) => {
    const args = ["events", "watch", "--sandbox", "--state-file", file]
    const child = spawn(process.execPath, [bin, ...args], { env: { PATH: process.env["PATH"] } })
    let stderr = ""
    child.stdout.once("data", () => look(child))
    child.stderr.on("data", (chunk) => (stderr += String(chunk)))
    child.on("close", (code) => resolve({ code, stderr }))
  })

describe("events watch as a process", () => {
  it.each([
    ["on Ctrl-C", 130, (child: ReturnType<typeof spawn>) => child.kill("SIGINT")],
    ["when its reader goes away", 141, (child: ReturnType<typeof spawn>) => child.stdout?.destroy()],
  ] as const)("ends %s without a word, with %i, its state kept", async (_, code, look) => {
    const file = join(folder, String(code))
    expect(await watch(file, look)).toEqual({ code, stderr: "" })
    const { events } = JSON.parse(readFileSync(file, "utf8")) as { readonly events: ReadonlyArray<unknown> }
    expect(events.length).toBeGreaterThan(0)
  })
})
