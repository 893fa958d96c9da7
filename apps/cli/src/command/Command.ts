/** A command as data: its flags, arguments and examples, and the program to run. */
import * as Effect from "effect/Effect"
import type * as FileSystem from "effect/FileSystem"
import type * as HttpClient from "effect/http/HttpClient"
import type * as Scope from "effect/Scope"
import type * as Flag from "../flags/Flag.js"
import type { UsageError } from "../flags/UsageError.js"
import type { Output } from "../output/Output.js"
import type { Settings } from "../settings/Settings.js"
import type { Failure } from "./Failure.js"
import type { Input } from "./Input.js"

/** Flags by their key. The key `baseUrl` is the flag `--base-url`. */
export type Flags = Readonly<Record<string, Flag.Flag<unknown>>>

export type Arguments = Readonly<Record<string, Flag.Argument<unknown>>>

export type Values<F extends Flags | Arguments> = {
  readonly [K in keyof F]: F[K] extends Flag.Flag<infer A>
    ? A
    : F[K] extends Flag.Rest<infer A>
      ? ReadonlyArray<A>
      : F[K] extends Flag.Argument<infer A>
        ? A
        : never
}

/** The texts on a command line: flags by key, arguments in order. */
export interface Given {
  readonly flags: ReadonlyMap<string, ReadonlyArray<string>>
  readonly args: ReadonlyArray<string>
}

export type Services = FileSystem.FileSystem | HttpClient.HttpClient | Input | Output | Settings

/** Loads the module of a command: no command loads the code of another. */
export type Load = () => Promise<{ readonly command: Command }>

export interface Command {
  readonly description: string
  readonly examples: ReadonlyArray<string>
  readonly flags: Flags
  readonly args: Arguments
  /** The commands of a group by their names. Empty for a command. */
  readonly commands: Readonly<Record<string, Load>>
  /** Whether an unusable settings file is an error, and an ignored one is noted on stderr. */
  readonly requiresSettings: boolean
  /** Whether it runs until it is stopped, with exit code 0. Its notes carry times, unless a person reads them on a terminal. */
  readonly isServer: boolean
  readonly run: (given: Given) => Effect.Effect<unknown, Failure, Services>
}

interface Page {
  readonly description: string
  /** Command lines that a test runs. */
  readonly examples: ReadonlyArray<string>
}

export const readFlags = <F extends Flags>(flags: F, given: Given): Effect.Effect<Values<F>, UsageError> =>
  Effect.map(
    Effect.forEach(all(flags), ({ flag, key, name }) =>
      Effect.map(flag.read(given.flags.get(key) ?? [], name), (value) => [key, value] as const),
    ),
    // Each key has the value that its own flag reads.
    (values) => Object.fromEntries(values) as Values<F>,
  )

const readArguments = <P extends Arguments>(args: P, given: Given): Effect.Effect<Values<P>, UsageError> =>
  Effect.map(
    Effect.forEach(Object.entries(args), ([key, { isRest = false, label, parse }], index) => {
      const read = (text: string) => parse(text, `<${label}>`)
      const value = isRest ? Effect.forEach(given.args.slice(index), read) : read(given.args[index] ?? "")
      return Effect.map(value, (value) => [key, value] as const)
    }),
    // Each key has the value that its own argument parses to.
    (values) => Object.fromEntries(values) as Values<P>,
  )

/** Declares a command. `run` is the body of `Effect.gen`: it gets the values of flags and arguments, and a scope that ends with it. */
export const make = <const F extends Flags = {}, const P extends Arguments = {}>(
  options: Page & {
    readonly flags: F
    readonly args?: P
    readonly requiresSettings?: boolean
    readonly isServer?: boolean
    readonly run: (
      values: Values<F> & Values<P>,
    ) => Generator<Effect.Effect<unknown, Failure, Scope.Scope | Services>, unknown, never>
  },
): Command => {
  const { args = {} as P, flags, isServer = false, requiresSettings = true, run } = options
  return {
    ...options,
    args,
    requiresSettings,
    isServer,
    commands: {},
    run: (given) =>
      Effect.flatMap(Effect.all([readFlags(flags, given), readArguments(args, given)]), ([flags, args]) =>
        Effect.scoped(Effect.gen(() => run({ ...flags, ...args }))),
      ),
  }
}

export const group = (page: Page & { readonly commands: Command["commands"]; readonly flags?: Flags }): Command => ({
  flags: {},
  ...page,
  args: {},
  requiresSettings: false,
  isServer: false,
  run: () => Effect.void,
})

export const isGroup = ({ commands }: Command): boolean => Object.keys(commands).length > 0

/** Loads the commands of a group. */
export const load = ({ commands }: Command): Effect.Effect<ReadonlyArray<readonly [name: string, command: Command]>> =>
  Effect.forEach(
    Object.entries(commands),
    ([name, load]) => Effect.promise(async () => [name, (await load()).command] as const),
    { concurrency: "unbounded" },
  )

export interface Named {
  readonly key: string
  readonly name: string
  readonly names: ReadonlyArray<string>
  readonly flag: Flag.Flag<unknown>
}

export const all = (flags: Flags): ReadonlyArray<Named> =>
  Object.entries(flags).map(([key, flag]) => {
    const name = `--${key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
    return { key, name, names: flag.short === undefined ? [name] : [`-${flag.short}`, name], flag }
  })
