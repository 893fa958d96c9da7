/**
 * Holds the workflows in `.github/workflows/` to what keeps them safe: actions are pinned by a full commit, with the version in a comment;
 * nothing is permitted but what a job says; no job runs for hours, keeps a credential that it needs not, or puts what others wrote
 * into a shell. A job that may publish runs one script and no development tooling. Where npm scripts run, the hash of pnpm is checked before.
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

/** What a job with `id-token: write`, which may publish to npm, is made of. */
const publishing = {
  actions: ["actions/checkout", "actions/download-artifact", "actions/setup-node"],
  run: "node scripts/publish.mjs tarballs",
}

/** The rules of a job that may publish: it installs and builds nothing, and may write nothing else. */
const ofPublishing = (permissions, steps) =>
  permissions?.["id-token"] !== "write"
    ? []
    : [
        ...Object.entries(permissions)
          .filter(([scope, right]) => scope !== "id-token" && right === "write")
          .map(([scope]) => `it may publish, and write ${scope}`),
        ...steps
          .map(({ run, uses = "" }) => run ?? uses.split("@")[0])
          .filter((step) => step !== publishing.run && !publishing.actions.includes(step))
          .map((step) => `it may publish, and runs ${step}`),
      ]

/** Whether a step starts pnpm, by a script of npm. `.ci/run` checks the hash itself. */
const startsPnpm = ({ run = "", with: { publish = "", version = "" } = {} }) =>
  [run, publish, version].some((command) => /\bnp[mx] /.test(command))
const ofPnpm = (steps) => {
  const first = steps.findIndex(startsPnpm)
  const checked = steps.findIndex(({ run }) => run === "node scripts/pnpm-hash.mjs")
  return first < 0 || (checked >= 0 && checked < first) ? [] : ["it runs pnpm before scripts/pnpm-hash.mjs"]
}

const ofJob = ([name, { permissions, steps = [], "timeout-minutes": minutes, uses }]) =>
  [
    ...(permissions === undefined || typeof permissions === "string" ? ["it does not say what it is permitted"] : []),
    // A called workflow has limits of its own.
    ...(minutes === undefined && uses === undefined ? ["it has no time limit"] : []),
    ...steps.flatMap(ofStep),
    ...ofPublishing(permissions, steps),
    ...ofPnpm(steps),
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
