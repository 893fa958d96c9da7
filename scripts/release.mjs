/**
 * `pnpm release:version` writes versions and changelogs, `pnpm release` builds and publishes what is not published yet, and
 * `pnpm release:snapshot` does both at once, for a version to try that is nobody's `latest`. Runs with npm alone, too.
 */
import { pnpm } from "./workspace.mjs"

const changeset = (...args) => ["exec", "changeset", ...args]
const build = ["run", "build"]

const steps = {
  version: [changeset("version")],
  publish: [build, changeset("publish")],
  snapshot: [changeset("version", "--snapshot"), build, changeset("publish", "--tag", "snapshot", "--no-git-tag")],
}

for (const step of steps[process.argv[2]]) {
  const { status } = pnpm(step, { quiet: false })
  if (status !== 0) process.exit(status)
}
