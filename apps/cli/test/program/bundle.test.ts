/** What the files of the built command import. */
import { readdirSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { describe, expect, it } from "vitest"
import { bin } from "../support/subprocess.js"

/** The files of the bundle that a file imports, directly or not. Dynamic imports load later. */
const importsOf = (file: string, known = new Set<string>()): ReadonlySet<string> => {
  if (known.has(file)) return known
  known.add(file)
  const text = readFileSync(join(dirname(bin), file), "utf8")
  for (const [, name = ""] of text.matchAll(/(?:from|import)"\.\/([^"]+)"/g)) importsOf(name, known)
  return known
}

describe("the library for Postgres", () => {
  const files = readdirSync(dirname(bin)).filter((name) => name.endsWith(".js"))
  const isPostgres = (file: string) => readFileSync(join(dirname(bin), file), "utf8").includes("SCRAM-SHA-256")

  it.each(["Process", "Platform", "Serve"])("is not loaded with %s", (name) => {
    const parts = files.filter((file) => file.startsWith(`${name}-`))
    expect([parts, files.filter(isPostgres)]).not.toContainEqual([])
    expect(parts.flatMap((file) => [...importsOf(file)]).filter(isPostgres)).toEqual([])
  })
})
