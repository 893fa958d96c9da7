/**
 * `node scripts/pnpm.mjs ARGUMENTS…` runs the pnpm of `packageManager`. It installs missing dependencies first. `--verify` compares the
 * pnpm that npx would run with the hash in `packageManager`: npx itself does not.
 */
import { need, packageManager, pnpm } from "./workspace.mjs"

const verify = () => {
  const { hash, spec } = packageManager
  // npm computes the integrity of the file that it downloaded, and keeps that file in the cache that npx reads.
  const [{ integrity }] = JSON.parse(need("npm", ["pack", spec, "--json", "--dry-run", "--prefer-offline"]))
  const expected = `sha512-${Buffer.from(hash ?? "", "hex").toString("base64")}`
  if (integrity !== expected)
    throw new Error(`${spec} has the integrity ${integrity}. packageManager expects ${expected}.`)
}

const args = process.argv.slice(2)
if (args[0] === "--verify") verify()
else process.exit(pnpm(args, { quiet: false }).status)
