/** What can be said of a command: read from its declaration, for help, completions and mistakes alike. */
import { stripVTControlCharacters } from "node:util"
import * as CliConfig from "@effect/cli/CliConfig"
import * as CommandDescriptor from "@effect/cli/CommandDescriptor"
import * as HelpDoc from "@effect/cli/HelpDoc"
import * as HashMap from "effect/HashMap"
import * as OwnFlags from "../OwnFlags.js"

/** An argument, or a flag without its names: what stands for it, and what it is for. */
interface Argument {
  readonly label: string
  readonly text: string
}

/** A flag. `value` is what stands for its value: nothing for one that has none. */
export interface Flag extends Argument {
  readonly names: ReadonlyArray<string>
  readonly value: string | undefined
  /** The values that there are, where only some will do. */
  readonly choices: ReadonlyArray<string>
  readonly repeatable: boolean
}

/** A command; one with `commands` is their group. */
export interface Manual {
  readonly name: string
  /** As it is typed, the names of its groups before it. */
  readonly path: string
  readonly description: string
  readonly args: ReadonlyArray<Argument>
  readonly flags: ReadonlyArray<Flag>
  readonly commands: ReadonlyArray<Manual>
}

/** What has a declaration. */
export interface Declared {
  readonly descriptor: CommandDescriptor.Command<unknown>
}

const textOf = (doc: HelpDoc.HelpDoc): string =>
  stripVTControlCharacters(HelpDoc.toAnsiText(doc)).replace(/\s+/g, " ").trim()

/** The parts of a document, in order. */
const blocks = (doc: HelpDoc.HelpDoc): ReadonlyArray<HelpDoc.HelpDoc> =>
  HelpDoc.isSequence(doc) ? [...blocks(doc.left), ...blocks(doc.right)] : HelpDoc.isEmpty(doc) ? [] : [doc]

/** The parts below a heading, up to the next one. */
const section = (doc: HelpDoc.HelpDoc, heading: string): ReadonlyArray<HelpDoc.HelpDoc> => {
  const all = blocks(doc)
  const start = all.findIndex((block) => HelpDoc.isHeader(block) && textOf(block) === heading)
  if (start === -1) return []
  const rest = all.slice(start + 1)
  const end = rest.findIndex(HelpDoc.isHeader)
  return end === -1 ? rest : rest.slice(0, end)
}

/** What `@effect/cli` says of every argument by itself. */
const standing = /^This (?:setting|option|argument) (?:is optional|must be repeated|may be repeated|can be set)/

/** The entries of a section. The first sentence of each tells its type, which its label tells as well. */
const entries = (doc: HelpDoc.HelpDoc, heading: string): ReadonlyArray<Argument> =>
  section(doc, heading)
    .filter(HelpDoc.isDescriptionList)
    .flatMap(({ definitions }) =>
      definitions.map(([label, text]) => ({
        label: textOf(HelpDoc.p(label)).replace(/^\((.*)\)(\.\.\.)?$/, "$1$2"),
        text: blocks(text)
          .slice(1)
          .map(textOf)
          .filter((sentence) => !standing.test(sentence))
          .join(" "),
      })),
    )

/** `-o, --output table | json`, and dots after it where it may be given more than once. */
const forms = /^(-[\w-]+(?:, -[\w-]+)*)(?: (.*?))?(\.\.\.| \d+\+| \d+ - \d+)?$/

const flagOf = ({ label, text }: Argument): Flag => {
  const [, names = "", value, dots] = forms.exec(label) ?? []
  const choices = value?.includes(" | ") === true ? value.split(" | ") : []
  return { label, text, names: names.split(", "), value, choices, repeatable: dots !== undefined }
}

const config = CliConfig.make({ showBuiltIns: false })

/** What is made when it is first asked for, and then kept. */
const once = <A>(make: () => A): (() => A) => {
  let made: { readonly value: A } | undefined
  return () => (made ??= { value: make() }).value
}

/** Nothing is read of a command before somebody asks: there are many, and of most nobody does. */
const read = (
  name: string,
  path: string,
  { descriptor }: Declared,
  commandsOfIt: () => ReadonlyArray<Manual> = () => [],
): Manual => {
  const doc = once(() => CommandDescriptor.getHelp(descriptor, config))
  const description = once(() => section(doc(), "DESCRIPTION").map(textOf).join(" "))
  const args = once(() => entries(doc(), "ARGUMENTS"))
  const flags = once(() => entries(doc(), "OPTIONS").map(flagOf))
  const commands = once(commandsOfIt)
  return {
    name,
    path,
    get description() {
      return description()
    },
    get args() {
      return args()
    },
    get flags() {
      return flags()
    },
    get commands() {
      return commands()
    },
  }
}

/** The commands of a group, by name. A command that is no group is told to hold itself. */
const commandsOf = (name: string, { descriptor }: Declared): ReadonlyArray<Manual> =>
  Array.from(HashMap.entries(CommandDescriptor.getSubcommands(descriptor)))
    .filter(([one]) => one !== name)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([one, held]) => read(one, `vigil ${name} ${one}`, { descriptor: held }))

/** The manual of all: the command itself, what stands right under it, and what these hold. */
export const make = (root: Declared, groups: Readonly<Record<string, Declared>>): Manual =>
  read("vigil", "vigil", root, () =>
    Object.entries(groups).map(([name, group]) => read(name, `vigil ${name}`, group, () => commandsOf(name, group))),
  )

/** The flags that every command takes. */
export const common: ReadonlyArray<Flag> = [
  { names: ["-h", "--help"], label: "-h, --help", text: "Show this help." },
  { names: ["--no-color"], label: "--no-color", text: "Show no colour, as with NO_COLOR in the environment." },
  { names: ["--debug"], label: "--debug", text: "Log each request to stderr, as with --log-level debug." },
  {
    names: ["--log-level"],
    label: "--log-level level",
    text: `Log to stderr: ${OwnFlags.levels.join(", ")}.`,
    value: "level",
    choices: OwnFlags.levels,
  },
].map((flag) => ({ value: undefined, choices: [], repeatable: false, ...flag }))

/** The flags of `vigil` itself. */
export const own: ReadonlyArray<Flag> = [
  { names: ["--version"], label: "--version", text: "Show the version." },
  { names: ["--wizard"], label: "--wizard", text: "Be asked for the arguments, one by one." },
].map((flag) => ({ value: undefined, choices: [], repeatable: false, ...flag }))

/** How many arguments name the command: none names `vigil` itself. */
export const depth = ({ path }: Manual): number => path.split(" ").length - 1
