/** `vigil init`, with a stand-in for the Azure CLI. */
import { chmodSync, statSync } from "node:fs"
import { delimiter, dirname } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import { Faults, Reply } from "@vigil/sandbox"
import * as Effect from "effect/Effect"
import { afterEach, vi } from "vitest"
import { makeWorkspace, type Workspace } from "./workspace.js"
import { run } from "./run.js"

afterEach(() => {
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
})

const accounts = [
  { id: "id-1", name: "Contoso Test", state: "Enabled", isDefault: false },
  { id: "id-2", name: "Contoso", state: "Enabled", isDefault: true },
  { id: "id-3", name: "Contoso", state: "Enabled", isDefault: false },
]

/** Puts a program named `az` on the PATH, which prints the accounts and a token with its arguments. */
const installAz = ({ folder, write }: Workspace, list: unknown = accounts) => {
  const file = `${folder}/bin/az`
  const body = `const args = process.argv.slice(2).join(" ")
if (args === "account list --output json") console.log(${JSON.stringify(JSON.stringify(list))})
else console.log(JSON.stringify({ accessToken: args.replaceAll(/\\W/g, "."), expires_on: 4102444800 }))`
  write(file, `#!${process.execPath}\n${body}`)
  chmodSync(file, 0o700)
  vi.stubEnv("PATH", `${dirname(file)}${delimiter}${process.env["PATH"]}`)
}

const written = ({ files, user }: Workspace): unknown =>
  JSON.parse(files().find(({ file }) => file === user)?.text ?? "null")

const azureSettings = {
  healthBaseUrl: "https://management.azure.com",
  healthVendor: "Microsoft",
  tokenCommand: "az account get-access-token --output json --resource https://management.azure.com".split(" "),
}

describe("vigil init", () => {
  it.live("for Azure writes a file that only the user can read, and that a list uses", () =>
    Effect.gen(function* () {
      const workspace = yield* makeWorkspace
      installAz(workspace)
      const { origin, awaitRequests } = yield* Faults.serve([Reply.page([])])
      expect(yield* run(`init --azure --base-url ${origin}`)).toMatchObject({ code: 0, data: [], questions: [] })
      expect(statSync(workspace.user).mode & 0o777).toBe(0o600)
      expect(statSync(dirname(workspace.user)).mode & 0o777).toBe(0o700)
      expect(yield* run("events list")).toMatchObject({ code: 0 })
      const { headers, target } = yield* awaitRequests(1)
      // The default subscription of the Azure CLI.
      expect(target).toContain("/subscriptions/id-2/providers/Microsoft.ResourceHealth/")
      expect(headers["authorization"]).toMatch(/^Bearer account\.get\.access\.token\..*\.127\.0\.0\.1\./)
    }),
  )

  it.live("asks on a terminal for the service and the subscriptions", () =>
    Effect.gen(function* () {
      const workspace = yield* makeWorkspace
      installAz(workspace)
      const unknown = yield* run("init", { answers: ["azure", "1,4"] })
      expect([unknown.code, unknown.notes.at(-1), written(workspace)]).toEqual([
        2,
        expect.stringContaining("1 to 3"),
        null,
      ])
      const { code, notes } = yield* run("init", { answers: ["", "2, 1 3"] })
      expect(code).toBe(0)
      expect(notes.slice(0, 3)).toEqual(["1. Contoso (id-2)", "2. Contoso Test (id-1)", "3. Contoso (id-3)"])
      expect(written(workspace)).toEqual({
        ...azureSettings,
        subscription: "Contoso Test",
        subscriptions: { "Contoso Test": "id-1", Contoso: "id-2", "id-3": "id-3" },
      })
    }),
  )

  it.live("takes the settings of another service from answers or flags", () =>
    Effect.gen(function* () {
      const workspace = yield* makeWorkspace
      const settings = {
        healthBaseUrl: "https://health.example",
        healthVendor: "Acme",
        tokenCommand: ["print-token", "x"],
        subscription: "sub-1",
      }
      const asked = yield* run("init", { answers: ["https://health.example", "Acme", "print-token x", "sub-1"] })
      expect([asked.code, written(workspace)]).toEqual([0, settings])
      const flags = ["--vendor", "Acme", "--token-command", "print-token x", "-s", "sub-1", "--force"]
      const passed = yield* run(["init", "--base-url", "https://health.example", ...flags])
      expect([passed.code, passed.questions, written(workspace)]).toEqual([0, [], settings])
      const few = yield* run("init --force --base-url https://health.example")
      expect([few.code, written(workspace)]).toEqual([0, { healthBaseUrl: "https://health.example" }])
      expect(few.notes.at(-1)).toContain("vigil auth login")
    }),
  )

  it.live("replaces a file, even an invalid one, only if it is confirmed", () =>
    Effect.gen(function* () {
      const workspace = yield* makeWorkspace
      workspace.write(workspace.user, "{", 0o644)
      const line = "init --base-url https://health.example"
      expect(yield* run(line)).toMatchObject({ code: 2, notes: [expect.stringContaining("--force")] })
      expect(yield* run(line, { answers: ["no"] })).toMatchObject({ code: 1 })
      expect(workspace.files().map(({ text }) => text)).toEqual(["{"])
      expect(yield* run(line, { answers: ["yes", "", "", ""] })).toMatchObject({ code: 0 })
      expect(workspace.files()).toMatchObject([{ mode: 0o600, text: expect.stringContaining("health.example") }])
    }),
  )

  it.live.each([
    [[], 2, "--azure"],
    [["--base-url", "nowhere"], 2, "The base URL must be"],
    [["--base-url", "http://health.example"], 2, "HTTP"],
    [["--base-url", "https://health.example", "--vendor", "a/b"], 2, "vendor"],
    [["--base-url", "https://health.example", "--token-command", "./print"], 2, "--token-command"],
    [["--azure", "-s", "a/b"], 2, "--subscription"],
  ] as const)("with %j writes nothing", ([flags, code, words]) =>
    Effect.gen(function* () {
      const workspace = yield* makeWorkspace
      expect(yield* run(["init", ...flags])).toMatchObject({ code, notes: [expect.stringContaining(words)] })
      expect(workspace.files()).toEqual([])
    }),
  )

  it.live("names what the Azure CLI lacks, and does not need it with --subscription", () =>
    Effect.gen(function* () {
      const workspace = yield* makeWorkspace
      vi.stubEnv("PATH", workspace.folder)
      expect(yield* run("init --azure")).toMatchObject({ code: 1, notes: [expect.stringContaining("install az")] })
      expect(yield* run("init --azure -s id-9")).toMatchObject({ code: 0 })
      expect(written(workspace)).toEqual({ ...azureSettings, subscription: "id-9" })
      installAz(workspace, [])
      const signedOut = yield* run("init --azure --force")
      expect(signedOut).toMatchObject({ code: 1, notes: [expect.anything(), expect.stringContaining("az login")] })
    }),
  )
})
