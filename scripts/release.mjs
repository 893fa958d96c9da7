/**
 * `pnpm release:version` writes versions and changelogs. `pnpm release` builds and packs all packages, publishes those that are not published yet,
 * and tags them. `pnpm release:snapshot` does all of it for a version to try that does not become `latest`. Runs with npm alone, too. Other arguments
 * go to the command that publishes: `pnpm release --otp=123456`.
 */
import { pnpm } from "./workspace.mjs"

const changeset = (...args) => ["exec", "changeset", ...args]

const steps = {
  version: (more) => [changeset("version", ...more)],
  publish: (more) => [
    ["run", "tarballs"],
    ["exec", "node", "scripts/publish.mjs", "tarballs", ...more],
    changeset("tag"),
  ],
  snapshot: (more) => [
    changeset("version", "--snapshot"),
    ["run", "build"],
    changeset("publish", "--tag", "snapshot", "--no-git-tag", ...more),
  ],
}

const [name, ...more] = process.argv.slice(2)
for (const step of steps[name](more)) {
  // npm may ask for a one-time password.
  const { status } = pnpm(step, { quiet: false })
  if (status !== 0) process.exit(status)
}
