/**
 * `pnpm release:version` writes versions and changelogs, `pnpm release` builds and publishes what is not published yet, and
 * `pnpm release:snapshot` does both at once, for a version to try that is nobody's `latest`. Runs with npm alone, too. What stands behind
 * the step goes to the last of its commands: `pnpm release --otp=123456`.
 */
import { pnpm } from "./workspace.mjs"

const changeset = (...args) => ["exec", "changeset", ...args]
const build = ["run", "build"]

const steps = {
  version: [changeset("version")],
  publish: [build, changeset("publish")],
  snapshot: [changeset("version", "--snapshot"), build, changeset("publish", "--tag", "snapshot", "--no-git-tag")],
}

const [name, ...more] = process.argv.slice(2)
const all = steps[name]
for (const step of all) {
  // Whoever is asked for a one-time password can answer.
  const { status } = pnpm(step === all.at(-1) ? [...step, ...more] : step, { quiet: false })
  if (status !== 0) process.exit(status)
}
