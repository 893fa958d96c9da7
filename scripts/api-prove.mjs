/**
 * `pnpm api:prove`: shows that the check of the API reports can fail. On a scratch copy, in which `@vigil/paging` was just
 * released, it changes one thing at a time, builds, and expects to be asked for what that change is.
 */
import { cpSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { libraries } from "./api-modules.mjs"
import { copyFiles, linkModules, scratch as makeScratch } from "./copy.mjs"
import { readManifest, root, run, tool } from "./workspace.mjs"

const place = "packages/paging"
const scratch = makeScratch("api")
copyFiles(scratch)
linkModules(scratch)
// What does not change is taken as it was built.
for (const { folder } of libraries)
  cpSync(join(folder, "dist"), join(folder.replace(root, `${scratch}/`), "dist"), { recursive: true })

const git = (...args) =>
  run("git", ["-c", "user.name=Prove", "-c", "user.email=prove@vigil.invalid", ...args], { cwd: scratch })
const api = (...args) =>
  run(process.execPath, [join(scratch, "scripts/api.mjs"), "@vigil/paging", ...args], { cwd: scratch })
const manifest = join(scratch, place, "package.json")
writeFileSync(manifest, JSON.stringify({ ...readManifest(join(scratch, place)), version: "0.1.0" }))
git("init", "--quiet")
git("add", "--all")
git("commit", "--quiet", "--message", "Release")

const build = () => {
  const { printed, status } = tool("tsc", ["-b", `${place}/tsconfig.src.json`], { cwd: scratch })
  if (status !== 0) throw new Error(printed)
}

const changeset = join(scratch, ".changeset/planted.md")
const holds = (kind, text) => {
  writeFileSync(changeset, `---\n"@vigil/paging": ${kind}\n---\n\n${text}\n`)
  const { status } = api("--check", "--since=HEAD")
  rmSync(changeset)
  return status === 0
}

/** What is changed, in which module, how, what that is, and the words of the report that have to be shown. */
const plants = [
  ["a type that is another", "Paging", "readonly items: number", "readonly items: number | undefined", "breaking"],
  [
    "a required field that may be missing",
    "PagingError",
    "readonly allowed: number",
    "readonly allowed?: number",
    "breaking",
  ],
  [
    "an export that has another name",
    "Page",
    "export const last =",
    "export const final =",
    "breaking",
    "const final: <A>(",
  ],
  [
    "a required field more",
    "Paging",
    "readonly prefetch?:",
    "readonly planted: number\n  readonly prefetch?:",
    "breaking",
    "readonly planted: number",
  ],
  [
    "a required argument more",
    "Checkpoint",
    "cursor: Schema.Schema<Cursor, I, R>,",
    "cursor: Schema.Schema<Cursor, I, R>,\n  _planted: number,",
    "breaking",
    "_planted: number,",
  ],
  [
    "a member more of a union",
    "Paging",
    "export type Start<Cursor> =",
    "export interface Planted<Cursor> {\n  readonly first: Cursor\n  readonly from?: undefined\n}\n\nexport type Start<Cursor> =\n  | Planted<Cursor>",
    "breaking",
    "| Planted<Cursor>",
  ],
  [
    "an option more",
    "Paging",
    "readonly prefetch?:",
    "readonly planted?: number\n  readonly prefetch?:",
    "new",
    "readonly planted?: number",
  ],
  [
    "an export more",
    "Page",
    "export const last =",
    "export const planted = 1\n\nexport const last =",
    "new",
    "const planted = 1",
  ],
  [
    "an interface more, with a required field",
    "Page",
    "export const last =",
    "export interface Planted {\n  readonly planted: number\n}\n\nexport const last =",
    "new",
    "readonly planted: number",
  ],
  ["another docstring", "Page", "export const last =", "/** Planted. */\nexport const last =", "none"],
]

const prove = ([name, module, from, to, kind, named = to]) => {
  const file = join(scratch, place, `src/${module}.ts`)
  const before = readFileSync(file, "utf8")
  if (!before.includes(from)) throw new Error(`${module} has no ${from}`)
  writeFileSync(file, before.replace(from, to))
  build()
  const stale = api("--check")
  api()
  const shown = [
    [
      "a report that is stale fails, and names the line",
      (stale.status !== 0 && stale.printed.includes(named)) === (kind !== "none"),
    ],
    ["no changeset", (api("--check", "--since=HEAD").status === 0) === (kind === "none")],
    ["a patch", holds("patch", "Planted.") === (kind === "none")],
    ["a minor", holds("minor", "Planted.") === (kind !== "breaking")],
    ["a breaking one", holds("minor", "**Breaking:** Planted.")],
    ["one that says it is compatible", holds("minor", "Planted. <!-- api: compatible -->")],
  ]
  writeFileSync(file, before)
  git("checkout", "--quiet", "--", place)
  const wrong = shown.filter(([, isRight]) => !isRight).map(([what]) => what)
  console.log(
    `${wrong.length === 0 ? "caught" : "MISSED"}  ${kind}: ${name}${wrong.length === 0 ? "" : ` (${wrong.join(", ")})\n${stale.printed}`}`,
  )
  return wrong.length === 0
}

const clean = api("--check", "--since=HEAD")
if (clean.status !== 0) {
  console.error(`The check fails before anything is planted:\n${clean.printed}`)
  process.exit(1)
}
const missed = plants.filter((plant) => !prove(plant)).length
console.log(`${plants.length - missed} of ${plants.length} planted changes were judged right`)
process.exit(missed === 0 ? 0 : 1)
