/**
 * `pnpm conformance FOLDER`: decodes every response in a folder, and shows that nothing was refused and nothing lost.
 * Files are told apart by their names: `events_*` are pages and `event_*` single events, each read as both versions;
 * `error_*` are error bodies. Other files are named and left alone.
 */
import { readdirSync, readFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { isDeepStrictEqual } from "node:util"

const dist = (module) => import(new URL(`../packages/health-schema/dist/${module}.js`, import.meta.url))
const [ApiVersion, ErrorResponse, EventsPage, HealthEvent] = await Promise.all(
  ["ApiVersion", "ErrorResponse", "EventsPage", "HealthEvent"].map(dist),
)

/** What a decoder made of a file, against the same text parsed anew. */
const verdict = (events, invalid, decoded, sent) => ({ events, invalid, lossless: isDeepStrictEqual(decoded, sent) })
const refused = { events: 0, invalid: 1, lossless: false }

const readers = {
  events: (version, text) => {
    const page = EventsPage.decode(version)(JSON.parse(text))
    if (page._tag === "Left") return refused
    const { invalid, items } = page.right
    return verdict(items.length, invalid.length, [...items, ...invalid.map(({ raw }) => raw)], JSON.parse(text).value)
  },
  event: (version, text) => {
    const event = HealthEvent.decode(version)(JSON.parse(text))
    return event._tag === "Left" ? refused : verdict(1, 0, event.right, JSON.parse(text))
  },
  error: (_, text) => {
    const sent = JSON.parse(text)
    const body = ErrorResponse.decode(JSON.parse(text))
    return body._tag === "Left" ? refused : verdict(0, 0, body.right, "error" in sent ? sent.error : sent)
  },
}

const folder = process.argv[2]
if (folder === undefined) {
  console.error("Usage: pnpm conformance FOLDER")
  process.exit(2)
}

const rows = []
for (const file of readdirSync(resolve(folder)).toSorted()) {
  const kind = /^(events|event|error)_.*\.json$/.exec(file)?.[1]
  if (kind === undefined) {
    console.log(`- ${file}: not read`)
    continue
  }
  const text = readFileSync(join(folder, file), "utf8")
  for (const version of kind === "error" ? ["any"] : ApiVersion.all)
    rows.push({ file, version, ...readers[kind](version, text) })
}

const width = Math.max(...rows.map(({ file }) => file.length))
console.log(`${"file".padEnd(width)}  ${"read as".padEnd(10)}  events  invalid  lossless`)
for (const { events, file, invalid, lossless, version } of rows)
  console.log(
    `${file.padEnd(width)}  ${version.padEnd(10)}  ${String(events).padStart(6)}  ${String(invalid).padStart(7)}  ${lossless ? "yes" : "no"}`,
  )

const bad = rows.filter(({ invalid, lossless }) => invalid > 0 || !lossless)
console.log(`${rows.length - bad.length} conform, ${bad.length} do not`)
process.exit(rows.length > 0 && bad.length === 0 ? 0 : 1)
