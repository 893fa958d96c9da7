/** Output without a terminal: data on stdout, messages on stderr, and no control sequences. */
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { afterEach, vi } from "vitest"
import * as Command from "../../src/command/Command.js"
import * as Commands from "../support/commands.js"
import { folder } from "../support/folder.js"
import * as Formats from "../support/formats.js"
import * as Hostile from "../support/hostile.js"
import { run } from "../support/run.js"
import { type RunOptions, vigil } from "../support/subprocess.js"

afterEach(() => {
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
})

const routes = fileURLToPath(new URL("../support/routes.yaml", import.meta.url))

/** A command line, its exit code (default: 0), the output formats to test, and whether it prints data to stdout. */
interface CommandLine {
  readonly line: string
  readonly code?: number
  readonly formats: ReadonlyArray<string>
  readonly prints: boolean
}

const all = ["table", "wide", ...Formats.names]

/** A list and a single value are printed in all formats, by code that all commands share. */
const some = ["wide", "json", "csv"]

const command = (line: string, formats: ReadonlyArray<string> = some): CommandLine => ({ line, formats, prints: true })

const commands: ReadonlyArray<CommandLine> = [
  command("events list --sandbox --limit 20", all),
  command("events show D5VD-GHJ --sandbox"),
  command("events show KJHV-M8Z --sandbox --details"),
  command("events resources D5VD-GHJ --sandbox"),
  command("events timeline --sandbox"),
  command("events availability --sandbox"),
  command("events watch --sandbox --once --since 6h", ["lines", "jsonl"]),
  { ...command("events report --sandbox --out", []), prints: false },
  command("resources list --sandbox"),
  command("resources show web-1 --sandbox --subscription Production", all),
  { ...command("why web-1 --sandbox --subscription Production", ["wide", "csv"]), code: 10 },
  { ...command("status --sandbox", ["text", "json"]), code: 10 },
  command(`notify check ${routes} --sandbox`),
  command("apps list --sandbox"),
  command("apps whoami --sandbox"),
  command("apps url fleet/dispatch --sandbox"),
  command("apps remove-user fleet/dispatch lin.wu@vigil.example --sandbox --yes"),
  { ...command("auth login --service apps --token-stdin --base-url http://127.0.0.1:1", []), prints: false },
  command("auth status --sandbox"),
  { ...command("auth logout", []), prints: false },
  command("init --help", []),
  command("serve --help", []),
  command("mcp --help", []),
  command("doctor --sandbox"),
  command("sandbox --fault list", []),
  command("completions bash", []),
  command("--version --no-color", []),
]

/** The arguments of a command, with its report file in the folder. */
const argsOf = ({ line }: CommandLine, folder: string): ReadonlyArray<string> => [
  ...line.split(" "),
  ...(line.endsWith("--out") ? [join(folder, "report.html")] : []),
]

const isName = (format: string): format is Formats.Name => Formats.names.some((name) => name === format)

/** The first harmful character of an output. Tabs separate the cells of a table. */
const findHarm = (text: string, format?: string) =>
  Hostile.findHarm(["table", "wide", "text", undefined].includes(format) ? text.replaceAll("\t", " ") : text)

/** Fails if the text is empty or does not parse in the format. */
const expectData = (format: string, text: string) => {
  expect(text).not.toBe("")
  const read = isName(format) ? Formats.readers[format](text) : text
  expect(read).toBeTypeOf(isName(format) ? "object" : "string")
}

describe("every command", () => {
  it("is covered by these tests", () => {
    const missing = [...Commands.all]
      .filter(
        ([path, command]) => !Command.isGroup(command) && !/^vigil (?:fleet|notify (?:test|dead-letters))/.test(path),
      )
      .map(([path]) => path.replace("vigil ", ""))
      .filter((name) => !commands.some(({ line }) => line.startsWith(`${name} `) || line === name))
    expect(missing).toEqual([])
  })

  const lines = commands.flatMap((one) =>
    (one.formats.length === 0 ? ["text"] : one.formats).map((format) => [one.line, format, one] as const),
  )

  it.live.each(lines)("vigil %s prints well-formed %s, or only notes", ([, format, one]) =>
    Effect.gen(function* () {
      const output = format === "text" ? [] : ["--output", format]
      const input = one.line.includes("--token-stdin") ? ["token"] : []
      const { code, data, notes } = yield* run([...argsOf(one, yield* folder), ...output], { input })
      expect(code).toBe(one.code ?? 0)
      expect([findHarm(notes.join("\n")), findHarm(data.join("\n"), format)]).toEqual([undefined, undefined])
      if (one.prints) expectData(format, data.join("\n"))
      else expect(data).toEqual([])
    }),
  )
})

/** The environment variables and the stdin of a process. */
const environments: ReadonlyArray<readonly [string, RunOptions]> = [
  ["without stdin", { stdin: "closed" }],
  ["with NO_COLOR and a device as stdin", { stdin: "device", env: { NO_COLOR: "1" } }],
  [
    "with FORCE_COLOR and a pipe as stdin",
    { stdin: "pipe", env: { FORCE_COLOR: "1", COLORTERM: "truecolor", TERM: "xterm-256color" } },
  ],
  ["with NO_COLOR and FORCE_COLOR", { stdin: "device", env: { NO_COLOR: "1", FORCE_COLOR: "1" } }],
]

describe("a process without a terminal", () => {
  it.live.each(environments)("writes plain text, with data on stdout, %s", ([, { env, stdin = "pipe" }]) =>
    Effect.gen(function* () {
      const args = ["events", "list", "--sandbox", "--limit", "20", "--output", "table"]
      const { code, stderr, stdout } = yield* Effect.promise(() => vigil(args, { stdin, env: env ?? {} }))
      expect([code, findHarm(stderr), findHarm(stdout, "table")]).toEqual([0, undefined, undefined])
      expectData("table", stdout)
    }),
  )
})
