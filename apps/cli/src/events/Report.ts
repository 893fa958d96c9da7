/** `vigil events report`: the events as one HTML file. */
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Option from "effect/Option"
import * as Command from "../command/Command.js"
import * as AtomicFile from "../files/AtomicFile.js"
import * as Flag from "../flags/Flag.js"
import { UsageError } from "../flags/UsageError.js"
import * as Output from "../output/Output.js"
import * as EventSelection from "../lists/EventSelection.js"
import * as EventLists from "../lists/EventLists.js"

const pages = Effect.promise(() => import("@vigil/health-report/HtmlReport"))

/** What is at a path. A folder, a device or a pipe is never replaced. */
type Found = "nothing" | "report" | "another file" | "not a file"

const find = Effect.fnUntraced(function* (path: string): Effect.fn.Return<Found, never, FileSystem.FileSystem> {
  const files = yield* FileSystem.FileSystem
  const { beginning } = yield* pages
  const info = yield* Effect.option(files.stat(path))
  if (Option.isNone(info)) return "nothing"
  if (info.value.type !== "File") return "not a file"
  const read = Effect.flatMap(files.open(path), (file) => file.readAlloc(beginning.length))
  const bytes = Option.flatten(yield* Effect.option(Effect.scoped(read)))
  return Option.exists(bytes, (some) => new TextDecoder().decode(some) === beginning) ? "report" : "another file"
})

const check = Effect.fnUntraced(function* (path: string, force: boolean) {
  const found = yield* find(path)
  const name = JSON.stringify(path)
  if (found === "not a file")
    return yield* new UsageError(`--out ${name} is not a regular file. Pass a file such as report.html.`)
  if (found === "another file" && !force)
    return yield* new UsageError(
      `${name} exists and is not a report of vigil. Pass another --out, or --force to overwrite it.`,
    )
})

export const command = Command.make({
  description: `Write the events of the last 90 days, or since --since, as one HTML file that works offline: impact over time, current state, and all events. ${EventSelection.description}`,
  examples: [
    "vigil events report --sandbox --out report.html",
    "vigil events report --sandbox --since 3d --out report.html",
  ],
  flags: {
    ...EventLists.flags,
    resources: EventLists.resources,
    out: Flag.required(Flag.text("file"), "File to write"),
    force: Flag.boolean("Overwrite a file that is not a report of vigil"),
  },
  run: function* ({ force, out: path, ...given }) {
    yield* check(path, force)
    yield* AtomicFile.removeAbandoned(path)
    const { chunks } = yield* pages
    const { end, snapshot, subject } = yield* EventLists.read(given)
    yield* Effect.mapError(AtomicFile.write(path, chunks(snapshot)), AtomicFile.fileError(path))
    yield* Output.note(`Wrote ${JSON.stringify(path)}: ${EventLists.summary({ snapshot, subject }, given)}`)
    yield* end
  },
})
