/** Runs every command of the README, of the guides that belong to it, and of the help. */
import { readFileSync } from "node:fs"
import { isAbsolute, join } from "node:path"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { afterEach, vi } from "vitest"
import * as Commands from "../support/commands.js"
import { folder } from "../support/folder.js"
import { run } from "../support/run.js"
import { split } from "../support/shell.js"

const guides = ["settings", "notifications", "resources"]

const documents = ["README.md", ...guides.map((name) => `../../docs/recipes/${name}.md`)]

const text = documents.map((file) => readFileSync(new URL(`../../${file}`, import.meta.url), "utf8")).join("\n")

const lines = [...text.matchAll(/```sh\n([\s\S]*?)```/g)]
  .flatMap(([, block = ""]) => block.trim().split("\n"))
  // The tests of the packed packages cover the installation.
  .filter((line) => !/^(npm |git clone |cd vigil$)/.test(line))

/**
 * Whether a command runs until it is interrupted, or needs secrets. `Sandbox.test.ts`, `serve.test.ts`,
 * `sweep.test.ts`, `notify.test.ts` and `fleet/fleet.fleet.ts` run these commands.
 */
const isTestedElsewhere = (line: string): boolean =>
  /^vigil (?:fleet|serve|sandbox (?!--fault list)|notify test)|--routes|--subscriptions-file/.test(line)

/** The examples in the help of each command, except those that need a file, wait for input, or do what the comment above says. */
const examples = new Set(
  [...Commands.all.values()]
    .flatMap(({ examples }) => examples)
    .filter((line) => !isTestedElsewhere(line))
    .filter(
      (line) => !/^vigil (?:init |mcp |notify |events watch (?!.*--once)|auth login (?!.*--token-stdin))/.test(line),
    ),
)

const files = new Set(["--out", "--state-file", "--checkpoint-file"])

const routes = fileURLToPath(new URL("../support/routes.yaml", import.meta.url))

/** The arguments, with their files in a folder. */
const within = (path: string, args: ReadonlyArray<string>): ReadonlyArray<string> =>
  args.map((argument, index) => {
    if (argument === "routes.yaml") return routes
    const isFile = files.has(args[index - 1] ?? "") && !isAbsolute(argument)
    return isFile ? join(path, argument) : argument
  })

afterEach(() => {
  vi.unstubAllEnvs()
})

describe("the README, its guides and the help", () => {
  const all = new Set([...lines.filter((line) => !isTestedElsewhere(line)), ...examples])

  it.live.each([...all])("%s runs", (line) =>
    Effect.gen(function* () {
      vi.stubEnv("APPMGMT_BASE_URL", "https://apps.example")
      const [command, ...args] = split(line)
      expect(command).toBe("vigil")
      const input = line.includes("--token-stdin") ? ["sandbox-api-token"] : []
      const { code, data, notes } = yield* run(within(yield* folder, args), { input })
      // The exit codes of `why` and `status` are verdicts: an outage affects this resource of the sandbox.
      expect(code, notes.join("\n")).toBe(args[0] === "why" || args[0] === "status" ? 10 : 0)
      // Login, logout, and commands that write a file print notes only.
      if (/^vigil auth log|--out /.test(line)) expect(notes).not.toEqual([])
      else expect(data).not.toEqual([])
      // An ID that the sandbox does not have would match no event.
      expect(notes.join("\n")).not.toMatch(/^0 events|No listed event/m)
    }),
  )

  it("have lines to run, and the example of a routes file", () => {
    expect(lines.length).toBeGreaterThan(30)
    expect(text).toContain(`\`\`\`yaml\n${readFileSync(routes, "utf8")}\`\`\``)
  })
})
