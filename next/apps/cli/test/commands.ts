/** All commands and groups. */
import type { Command } from "../src/Command.js"
import { root } from "../src/Commands.js"

const walk = (command: Command, path: string): ReadonlyArray<readonly [path: string, command: Command]> => [
  [path, command],
  ...command.commands.flatMap((one) => walk(one, `${path} ${one.name}`)),
]

/** Every command and group by its path, such as `vigil events list`. */
export const all: ReadonlyMap<string, Command> = new Map(walk(root, root.name))

/** Returns the examples of a command. */
export const examplesOf = (path: string): ReadonlyArray<string> => all.get(path)?.examples ?? []
