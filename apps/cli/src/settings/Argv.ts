/** A program and its arguments. Arguments are passed unchanged, without a shell. */
import { basename, isAbsolute } from "node:path"
import type * as Option from "effect/Option"
import * as Schema from "effect/Schema"

/** A relative path would start a program of the working folder, which others may have written. `TOKEN=x` and quotes are syntax of a shell. */
const isProgram = (text: string): boolean => isAbsolute(text) || (basename(text) === text && /^[^="']+$/.test(text))

/** The operating system cannot pass NUL in an argument. */
const isPlain = (text: string): boolean => !text.includes("\0")

export const Argv = Schema.NonEmptyArray(Schema.String.pipe(Schema.check(Schema.makeFilter(isPlain)))).pipe(
  Schema.check(Schema.makeFilter(([program]) => isProgram(program))),
)

export type Argv = typeof Argv.Type

/** Completes the sentence "It must be …". */
export const expected = "a program (a name in PATH or an absolute path) and its arguments"

const decodeWords = Schema.decodeUnknownOption(Argv)

const decodeJson = Schema.decodeUnknownOption(Schema.fromJsonString(Argv))

/** A JSON array, or words between white space. Quotes have no meaning in words. */
export const parse = (text: string): Option.Option<Argv> => {
  const trimmed = text.trim()
  return trimmed.startsWith("[") ? decodeJson(trimmed) : decodeWords(trimmed.split(/\s+/))
}

/** A longer name is more likely a secret in the wrong place. */
const maxNameLength = 32

/** The name of the program for output. The arguments may be secrets. */
export const nameOf = ([program]: Argv): string => {
  const name = basename(program)
  return name.length > maxNameLength ? "a program with a long name" : name
}
