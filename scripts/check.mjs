/**
 * `.ci/run` and `pnpm check` run every check. `pnpm check lint types` runs some. Both install and build first. Prints each check with its
 * time, and the output of those that fail. The last line counts tests and checks: `N passed, N failed`.
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

/** Shell commands whose tests mostly wait. They run one after the other, beside the others. */
const waiting = {
  // Installs Postgres if it is missing, which requires root.
  fleet: `({ ls /usr/lib/postgresql/*/bin/initdb ||
    { apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends postgresql; }; }) > /dev/null &&
    vitest run --mode fleet`,
  // Installs missing programs, which requires root.
  browser: `({ [ -n "$CHROMIUM_PATH" ] || command -v chromium chromium-browser google-chrome; } &&
      command -v tmux && command -v promtool && command -v prometheus-alertmanager ||
    { apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends \\
        chromium tmux prometheus prometheus-alertmanager; }) > /dev/null &&
    vitest run --mode browser && vitest run --mode terminal && vitest run --mode prometheus`,
}

/** Shell commands that compute. With those that wait, as many run at once as the machine has cores. None changes the build. */
const computing = {
  tests: "npm test",
  docs: "cd docs && node_modules/.bin/typedoc && node_modules/.bin/vitepress build",
  packages: `node scripts/release.mjs pack && ls tarballs/*.tgz | xargs -n1 -P2 publint run --strict &&
    ls tarballs/*.tgz | grep -v vigil-cli.tgz | xargs -n1 -P2 attw --profile esm-only`,
  types: "tsc -b packages/*/ apps/*/",
  start: `npm start --silent -- events list --output json | node -e 'process.exit(JSON.parse(fs.readFileSync(0)).length > 0 ? 0 : 1)'`,
  lint: "oxlint --deny-warnings && turbo boundaries",
  unused: "knip && knip --production --strict",
  format: "oxfmt --check .",
  examples: "node scripts/examples.mjs && node scripts/names.mjs",
  links: "remark --frail --quiet --ignore-path .gitignore --ignore-pattern CHANGELOG.md .",
  spelling: "cspell --no-progress",
  openapi: "node scripts/openapi.mjs",
  deploy: "node scripts/deploy.mjs",
  // Needs root for chroot. On GitHub, the weekly workflow builds the image with an engine.
  ...(process.platform === "linux" && process.getuid() === 0 ? { image: "node scripts/image.mjs" } : {}),
  size: "size-limit",
  ...(existsSync(payloads) ? { conformance: `node scripts/conformance.mjs ${payloads}` } : {}),
  // Actions are pinned by commit, pnpm by hash.
  pinned: `! grep -hoP "uses: \\K(?!\\./).*" .github/workflows/*.yml | grep -vP "@[0-9a-f]{40} # v" && node scripts/pnpm.mjs --verify`,
  // `changeset status` ignores changes of the catalog. `pnpm changeset --empty` states that such a change does not affect users.
  changesets: `changeset status --since=${since()} && { git diff --quiet ${since()} -- pnpm-workspace.yaml ||
    git diff --name-only --diff-filter=A ${since()} -- .changeset | grep . || { echo "The catalog changed: add a changeset."; false; }; }`,
}

let [passed, failed] = [0, 0]

/** Runs one check and prints the result. Returns whether it passed. */
const check = (name, command) =>
  new Promise((resolve) => {
    const start = performance.now()
    const child = spawn("bash", ["-o", "pipefail", "-c", command], {
      cwd: root,
      env: { ...environment, NO_COLOR: "1" },
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
const unknown = names.filter((name) => !(name in waiting || name in computing))
if (unknown.length > 0)
  throw new Error(
    `Unknown check ${unknown.join(", ")}. Use one of: ${Object.keys({ ...waiting, ...computing }).join(", ")}`,
  )
const chosen = (checks) => Object.entries(checks).filter(([name]) => names.length === 0 || names.includes(name))

const run = async (queue) => {
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) await check(...next)
}

let ready = true
for (const [name, command] of Object.entries(preparation)) ready &&= await check(name, command)
if (ready) {
  const queue = chosen(computing)
  const others = Array.from({ length: Math.max(1, availableParallelism() - 1) }, () => run(queue))
  await Promise.all([run(chosen(waiting)), ...others])
}
console.log(`${passed} passed, ${failed} failed`)
process.exit(failed === 0 ? 0 : 1)
