/**
 * `.ci/run` and `pnpm check` run every check except the slow ones. `pnpm check lint types` runs some. Both install and build first. Prints each
 * check with its time, and the output of those that fail. The last line counts tests and checks: `N passed, N failed`.
 */
import { spawn } from "node:child_process"
import { existsSync } from "node:fs"
import { availableParallelism } from "node:os"
import { join } from "node:path"
import { environment, need, packageManager, root } from "./workspace.mjs"

const pnpm = `npx --yes ${packageManager.spec}`
const payloads = join(root, "../shared/payloads")

/** Changes after this commit need a changeset: the target branch of a pull request, else the last release, else the first commit. */
const since = () => {
  const git = (...args) => need("git", args).trim()
  if (process.env.GITHUB_BASE_REF) return `origin/${process.env.GITHUB_BASE_REF}`
  return git("log", "-1", "--format=%H", "--", ":(glob)*/*/CHANGELOG.md") || git("rev-list", "--max-parents=0", "HEAD")
}

const preparation = {
  install: `${pnpm} install --frozen-lockfile`,
  build: `${pnpm} exec turbo run build --output-logs=errors-only`,
}

/** Installs packages of the system, which requires root, for one check after the other. */
const install = (packages) =>
  `flock /tmp/vigil-apt sh -c "apt-get update && apt-get install -y --no-install-recommends ${packages}" > /dev/null`

/** Shell commands, the longest first. None changes the build. The tests of the first two mostly wait. */
const checks = {
  fleet: `{ ls /usr/lib/postgresql/*/bin/initdb > /dev/null || ${install("postgresql")}; } && vitest run --mode fleet`,
  browser: `{ { [ -n "$CHROMIUM_PATH" ] || command -v chromium chromium-browser google-chrome; } > /dev/null &&
      command -v tmux > /dev/null && command -v promtool > /dev/null && command -v prometheus-alertmanager > /dev/null ||
      ${install("chromium tmux prometheus prometheus-alertmanager")}; } &&
    vitest run --mode browser && vitest run --mode terminal && vitest run --mode prometheus`,
  tests: "vitest run",
  // Pages without scripts, for half the time. Collecting garbage less often halves it again.
  docs: `cd docs && node_modules/.bin/typedoc &&
    node --max-semi-space-size=64 node_modules/vitepress/bin/vitepress.js build --mpa`,
  packages: `node scripts/release.mjs pack && ls tarballs/*.tgz | xargs -n1 -P2 publint run --strict &&
    ls tarballs/*.tgz | grep -v vigil-cli.tgz | xargs -n1 -P2 attw --profile esm-only`,
  types: "tsc -b packages/*/ apps/*/",
  start: `npm start --silent -- events list --output json | node -e 'process.exit(JSON.parse(fs.readFileSync(0)).length > 0 ? 0 : 1)'`,
  lint: "oxlint --deny-warnings && turbo boundaries",
  unused: "knip --cache && knip --cache --production --strict",
  format: "oxfmt --check .",
  examples: "node scripts/examples.mjs && node scripts/names.mjs",
  links: "remark --frail --quiet --ignore-path .gitignore --ignore-pattern CHANGELOG.md .",
  spelling: "cspell --no-progress",
  openapi: "node scripts/openapi.mjs",
  generator: "node scripts/generator.mjs",
  deploy: "node scripts/deploy.mjs",
  size: "size-limit",
  ...(existsSync(payloads) ? { conformance: `node scripts/conformance.mjs ${payloads}` } : {}),
  // Actions are pinned by commit, pnpm by hash.
  pinned: `! grep -hoP "uses: \\K(?!\\./).*" .github/workflows/*.yml | grep -vP "@[0-9a-f]{40} # v" && node scripts/pnpm.mjs --verify`,
  // `changeset status` ignores changes of the catalog. `pnpm changeset --empty` states that such a change does not affect users.
  changesets: `changeset status --since=${since()} && { git diff --quiet ${since()} -- pnpm-workspace.yaml ||
    git diff --name-only --diff-filter=A ${since()} -- .changeset | grep . || { echo "The catalog changed: add a changeset."; false; }; }`,
}

/** Runs only by name: it takes minutes. */
const slow = {
  image: `{ command -v buildah && command -v debootstrap || ${install("buildah debootstrap")}; } && node scripts/image.mjs`,
}

let [passed, failed] = [0, 0]

/** Runs one check and prints the result. Returns whether it passed. */
const check = (name, command) =>
  new Promise((resolve) => {
    const start = performance.now()
    const child = spawn("bash", ["-o", "pipefail", "-c", command], {
      cwd: root,
      env: { ...environment, NO_COLOR: "1", DEBIAN_FRONTEND: "noninteractive" },
    })
    let output = ""
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (data) => (output += data))
    child.on("close", (status) => {
      const seconds = ((performance.now() - start) / 1000).toFixed(1).padStart(6)
      console.log(`${status === 0 ? "ok  " : "FAIL"} ${seconds} s  ${name}`)
      for (const [, failures = 0, successes = 0] of output.matchAll(
        /^ +Tests +(?:(\d+) failed)?(?: \| )?(?:(\d+) passed)?/gm,
      )) {
        console.log(`               ${successes} tests passed, ${failures} failed`)
        passed += Number(successes)
        failed += Number(failures)
      }
      // First the names of the failed tests, because the output can be long.
      for (const [line] of output.matchAll(/^ FAIL .*/gm)) console.log(`              ${line}`)
      if (status === 0) passed += 1
      else failed += 1
      if (status !== 0) console.log(output)
      resolve(status === 0)
    })
  })

const names = process.argv.slice(2)
const all = { ...checks, ...slow }
const unknown = names.filter((name) => !(name in all))
if (unknown.length > 0)
  throw new Error(`Unknown check ${unknown.join(", ")}. Use one of: ${Object.keys(all).join(", ")}`)

const queue = Object.entries(names.length === 0 ? checks : all).filter(
  ([name]) => names.length === 0 || names.includes(name),
)
const run = async () => {
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) await check(...next)
}

let ready = true
for (const [name, command] of Object.entries(preparation)) ready &&= await check(name, command)
// One more check than cores at once, because some wait.
if (ready) await Promise.all(Array.from({ length: availableParallelism() + 1 }, run))
console.log(`${passed} passed, ${failed} failed`)
process.exit(failed === 0 ? 0 : 1)
