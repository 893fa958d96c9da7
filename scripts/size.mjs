/**
 * `pnpm size`: bundles a typical use of each package as an application would (minified, gzipped), prints its size, and holds
 * it to a limit. What is ours is told apart from what effect brings. What runs in Node only is not bundled here. `--json` prints
 * the bytes alone.
 */
import { measure, uses } from "./bundle.mjs"

const measured = await Promise.all(uses.map(measure))
const holds = ({ limit, own, ownLimit, whole }) => whole <= limit && own <= ownLimit
if (process.argv.includes("--json")) {
  console.log(JSON.stringify(measured))
  process.exit()
}
for (const use of measured) {
  console.log(`${holds(use) ? "ok  " : "FAIL"} ${use.name}: ${use.whole} bytes (limit ${use.limit}),`)
  console.log(`     of which ours ${use.own} (limit ${use.ownLimit}); what it uses of effect alone takes ${use.effect}`)
}
process.exit(measured.every(holds) ? 0 : 1)
