/** All commands and groups. */
import * as Effect from "effect/Effect"
import * as Command from "../../src/command/Command.js"
import * as Parse from "../../src/command/Parse.js"
import { root } from "../../src/Commands.js"

type Entry = readonly [path: string, command: Command.Command]

const walk = Effect.fnUntraced(function* (
  command: Command.Command,
  path: string,
): Effect.fn.Return<ReadonlyArray<Entry>> {
  const below = yield* Effect.forEach(yield* Command.load(command), ([name, one]) => walk(one, `${path} ${name}`))
  return [[path, command], ...below.flat()]
})

/** Every command and group by its path, such as `vigil events list`. */
export const all: ReadonlyMap<string, Command.Command> = new Map(await Effect.runPromise(walk(root, Parse.name)))

/** Returns the examples of a command. */
export const examplesOf = (path: string): ReadonlyArray<string> => all.get(path)?.examples ?? []
