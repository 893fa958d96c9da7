/**
 * `node scripts/conformance.mjs FOLDER`: decodes recorded responses, and fails if one is invalid or loses data. File names select the
 * format: `events_*.json` is a page and `event_*.json` one event, each in every API version. Needs a build.
 */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { isDeepStrictEqual } from "node:util"

const load = (module) => import(new URL(`../packages/health-schema/dist/${module}.js`, import.meta.url))
const [ApiVersion, EventsPage, HealthEvent] = await Promise.all(["ApiVersion", "EventsPage", "HealthEvent"].map(load))

/** Decodes a text. Returns the decoded value, and the part of the text that it must equal. */
const readers = {
  events: (text, version) => [
    EventsPage.decode(version)(JSON.parse(text)).success,
    { invalid: [], items: JSON.parse(text).value },
  ],
  event: (text, version) => [HealthEvent.decode(version)(JSON.parse(text)).success, JSON.parse(text)],
}

const [folder] = process.argv.slice(2)
const problems = []
let count = 0
for (const file of readdirSync(folder)) {
  const [, kind] = /^(events|event)_.*\.json$/.exec(file) ?? []
  if (kind === undefined) continue
  const text = readFileSync(join(folder, file), "utf8")
  for (const version of ApiVersion.all) {
    count += 1
    const [decoded, sent] = readers[kind](text, version)
    const compared = kind === "events" && decoded ? { invalid: decoded.invalid, items: decoded.items } : decoded
    if (!isDeepStrictEqual(compared, sent)) problems.push(`${file}, read as ${version}`)
  }
}
for (const problem of problems) console.error(`refused or changed: ${problem}`)
console.log(`${count - problems.length} of ${count} conform`)
process.exit(count > 0 && problems.length === 0 ? 0 : 1)
