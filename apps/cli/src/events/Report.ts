/** `vigil events report`: the events as one HTML file. */
import * as FileSystem from "@effect/platform/FileSystem"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Command from "../Command.js"
import { FileError, UsageError } from "../Failure.js"
import * as Flag from "../Flag.js"
import { Output } from "../output/Output.js"
import * as WholeFile from "../output/WholeFile.js"
import * as Progress from "./Progress.js"
import * as Reading from "./Reading.js"

/** Loaded lazily: no other command needs it. */
const pages = Effect.promise(() => import("../report/Page.js"))

/** What is at a path. A folder, a device or a pipe is never replaced. */
type Found = "nothing" | "report" | "another file" | "no file"

const find = (path: string): Effect.Effect<Found, never, FileSystem.FileSystem> =>
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    const { beginning } = yield* pages
    const info = yield* Effect.option(files.stat(path))
    if (Option.isNone(info)) return "nothing"
    if (info.value.type !== "File") return "no file"
    const read = Effect.flatMap(files.open(path), (file) => file.readAlloc(beginning.length))
    const bytes = Option.flatten(yield* Effect.option(Effect.scoped(read)))
    return Option.exists(bytes, (some) => new TextDecoder().decode(some) === beginning) ? "report" : "another file"
  })

const check = (path: string, force: boolean) =>
  Effect.gen(function* () {
    const found = yield* find(path)
    const named = JSON.stringify(path)
    if (found === "no file")
      return yield* new UsageError({ message: `--out ${named} is not a file. Name one, such as report.html.` })
    if (found === "another file" && !force)
      return yield* new UsageError({
        message: `${named} is there, and is not a report of vigil. Name another file with --out, or overwrite it with --force.`,
      })
  })

export const command = Command.make({
  name: "report",
  description:
    "Write the events of the last thirty days as one HTML file that needs no network: counts, impact over time, current states, and each event in full.",
  examples: [
    "vigil events report --sandbox --out report.html",
    "vigil events report --sandbox --since 3d --out report.html",
  ],
  flags: {
    ...Reading.flags,
    out: Flag.required(Flag.text("file"), "The file to write"),
    force: Flag.boolean("Overwrite the file even if it is not a report of vigil"),
  },
  run: ({ force, out: path, ...given }) =>
    Effect.scoped(
      Effect.gen(function* () {
        yield* check(path, force)
        yield* WholeFile.removeAbandoned(path)
        const { make } = yield* pages
        const reading = yield* Reading.read(given)
        yield* Effect.mapError(
          WholeFile.write(path, make(reading)),
          (error) => new FileError({ file: path, reason: WholeFile.reason(error) }),
        )
        const { note } = yield* Output
        yield* note(`Wrote ${JSON.stringify(path)}: ${Progress.plural(reading.events.length, "event")}`)
      }),
    ),
})
