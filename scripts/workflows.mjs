/**
 * Holds the workflows in `.github/workflows/` to what keeps them safe: actions are pinned by a full commit, with the version in a comment;
 * nothing is permitted but what a job says; no job runs for hours, keeps a credential that it needs not, or puts what others wrote
 * into a shell.
 */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { parseDocument } from "yaml"
import { root } from "./workspace.mjs"

const folder = join(root, ".github/workflows")

/** The rules of a job, or of a step in it. */
const ofStep = ({ run = "", uses = "", with: inputs = {} }) => [
  ...(/\$\{\{/.test(run) ? [`an expression stands in a shell: ${run}`] : []),
  ...(uses.startsWith("actions/checkout@") && inputs["persist-credentials"] !== false
    ? ["a checkout keeps its credential"]
    : []),
]
const ofJob = ([name, { permissions, steps = [], "timeout-minutes": minutes, uses }]) =>
  [
    ...(permissions === undefined || typeof permissions === "string" ? ["it does not say what it is permitted"] : []),
    // A called workflow has limits of its own.
    ...(minutes === undefined && uses === undefined ? ["it has no time limit"] : []),
    ...steps.flatMap(ofStep),
  ].map((problem) => `job ${name}: ${problem}`)

/** What is wrong with a workflow. */
const problemsOf = (text) => {
  const document = parseDocument(text)
  if (document.errors.length > 0) return document.errors.map(({ message }) => message)
  const { concurrency, jobs, permissions } = document.toJS()
  const uses = [...text.matchAll(/^\s*(?:- )?uses: (.*)$/gm)].map(([, what]) => what)
  return [
    ...(JSON.stringify(permissions) === "{}" ? [] : ["its jobs begin with permissions"]),
    ...(concurrency?.group === undefined ? ["it has no concurrency group"] : []),
    ...uses
      .filter((what) => !what.startsWith("./") && !/^[\w.-]+\/[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(what))
      .map((what) => `not pinned by a commit, with its version: ${what}`),
    ...Object.entries(jobs).flatMap(ofJob),
  ]
}

const files = readdirSync(folder).toSorted()
const problems = files.flatMap((file) =>
  problemsOf(readFileSync(join(folder, file), "utf8")).map((problem) => `${file}: ${problem}`),
)
for (const problem of problems) console.error(problem)
console.log(`${files.length} workflows, ${problems.length} problems`)
process.exit(files.length > 0 && problems.length === 0 ? 0 : 1)
