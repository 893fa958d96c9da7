/** The data that a request of one's own carries: from a flag, a file or stdin. */
import * as Options from "@effect/cli/Options"
import * as FileSystem from "@effect/platform/FileSystem"
import * as Request from "@vigil/core-http/Request"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import { UsageError } from "../Failure.js"
import { Input, type InputError } from "../Input.js"

/** The flags, of which one is given at most. */
export const flags = {
  data: Options.text("data").pipe(
    Options.withDescription("The data, as JSON. Others on this machine may see it while the command runs."),
    Options.withPseudoName("json"),
    Options.optional,
  ),
  dataFile: Options.text("data-file").pipe(
    Options.withDescription("The file that holds the data, as JSON."),
    Options.withPseudoName("file"),
    Options.optional,
  ),
  dataStdin: Options.boolean("data-stdin").pipe(Options.withDescription("Read the data from stdin, as JSON.")),
}

/** The flags as they were given. */
interface Flags {
  readonly data: Option.Option<string>
  readonly dataFile: Option.Option<string>
  readonly dataStdin: boolean
}

const ofFile = (file: string) =>
  FileSystem.FileSystem.pipe(
    Effect.flatMap((system) => system.readFileString(file)),
    Effect.mapError(
      () => new UsageError({ message: `The file ${JSON.stringify(file)} could not be read. Check its name.` }),
    ),
  )

const ofInput = Effect.flatMap(Input, ({ lines }) =>
  Effect.map(Stream.runCollect(lines), (all) => Array.from(all).join("\n")),
)

/** The text as given, so that its numbers keep their digits. What is not JSON is not shown: it may be a secret. */
const parse = (text: string, source: string): Effect.Effect<Request.JsonText, UsageError> =>
  Effect.try({
    try: () => {
      JSON.parse(text)
      return new Request.JsonText({ text })
    },
    catch: () => new UsageError({ message: `What ${source} holds is not JSON. Nothing was sent.` }),
  })

/** The data, if any is given. */
export const read = ({
  data,
  dataFile,
  dataStdin,
}: Flags): Effect.Effect<Option.Option<Request.JsonText>, InputError | UsageError, FileSystem.FileSystem | Input> =>
  Effect.gen(function* () {
    const sources = [
      ...Option.toArray(data).map((text) => ["--data", Effect.succeed(text)] as const),
      ...Option.toArray(dataFile).map((file) => [`the file ${JSON.stringify(file)}`, ofFile(file)] as const),
      ...(dataStdin ? [["stdin", ofInput] as const] : []),
    ]
    if (sources.length > 1)
      return yield* new UsageError({
        message: "--data, --data-file and --data-stdin exclude each other: give one of them.",
      })
    const [source] = sources
    if (source === undefined) return Option.none()
    const [name, text] = source
    return Option.some(yield* parse(yield* text, name))
  })
