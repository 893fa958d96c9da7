/** `vigil init`, with a stand-in for the Azure CLI. */
import { chmodSync, mkdirSync, statSync } from "node:fs"
import { delimiter, dirname } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import { Faults, Reply } from "@vigil/sandbox"
import * as Effect from "effect/Effect"
import { afterEach, vi } from "vitest"
import { run } from "../support/run.js"
import { makeWorkspace, type Workspace } from "../support/workspace.js"

afterEach(() => {
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
})

const accounts = [
  { id: "id-1", name: "Contoso Test", state: "Enabled", isDefault: false },
  { id: "id-2", name: "Contoso", state: "Enabled", isDefault: true },
  { id: "id-3", name: "Contoso", state: "Enabled", isDefault: false },
]

const uuid = "00000000-0000-4000-8000-000000000001"

/** Distinguishes subscriptions with the same name. */
const all = { "Contoso (id-2)": "id-2", "Contoso Test": "id-1", "Contoso (id-3)": "id-3" }

const printAccounts = `console.log(${JSON.stringify(JSON.stringify(accounts))})`

/** Puts a program named `az` on the PATH, which lists the accounts and prints a token with its arguments. */
const installAz = ({ folder, write }: Workspace, list = printAccounts) => {
  const file = `${folder}/bin/az`
  const body = `const args = process.argv.slice(2).join(" ")
if (args === "account list --output json") { ${list} }
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
      const { origin, requests } = yield* Faults.serve(() => Reply.page([]))
      expect(yield* run(`init --azure --base-url ${origin}`)).toMatchObject({ code: 0, data: [], questions: [] })
      expect(statSync(workspace.user).mode & 0o777).toBe(0o600)
      expect(statSync(dirname(workspace.user)).mode & 0o777).toBe(0o700)
      const before = (yield* requests).length
      expect(yield* run("events list -s id-1 -s id-2 -s id-3")).toMatchObject({ code: 0 })
      const sent = (yield* requests).slice(before)
      const paths = ["id-1", "id-2", "id-3"].map(
        (id) => `/subscriptions/${id}/providers/Microsoft.ResourceHealth/events`,
      )
      expect(sent.map(({ target }) => target.replace(/\?.*/, "")).toSorted()).toEqual(paths)
      expect(sent[0]?.headers["authorization"]).toMatch(/^Bearer account\.get\.access\.token\..*\.127\.0\.0\.1\./)
    }),
  )

  it.live.each<readonly [tenant: number, own: number, isLeftOut: true | undefined]>([
    [403, 200, true],
    [404, 200, true],
    [401, 200, true],
    [401, 401, undefined],
    [500, 200, undefined],
    [200, 200, undefined],
  ])("after %d of the tenant and %d of a subscription leaves out the tenant: %s", ([tenant, own, isLeftOut]) =>
    Effect.gen(function* () {
      const workspace = yield* makeWorkspace
      vi.stubEnv("HEALTH_ACCESS_TOKEN", "token")
      const { origin } = yield* Faults.serve(({ target }) =>
        Reply.json({ value: [] }, { status: target.startsWith("/subscriptions/") ? own : tenant }),
      )
      const { code, notes } = yield* run(`init --base-url ${origin} -s id-1`)
      expect(written(workspace)).toEqual({
        healthBaseUrl: origin,
        healthWithoutTenant: isLeftOut,
        subscriptions: ["id-1"],
      })
      expect([code, notes.some((note) => note.includes("healthWithoutTenant"))]).toEqual([0, isLeftOut === true])
      if (isLeftOut) expect((yield* run("status")).data[0]).toContain("without the tenant)")
    }),
  )

  it.live("asks on a terminal for the service and the subscriptions", () =>
    Effect.gen(function* () {
      const workspace = yield* makeWorkspace
      installAz(workspace)
      const asked = yield* run("init", { answers: ["nowhere", "azure", "4", "1, 4", "Contoso", "3, contoso test"] })
      expect(asked.code).toBe(0)
      expect(asked.notes.slice(0, 8)).toEqual([
        expect.stringContaining("The base URL must be"),
        "1. Contoso (id-2)",
        "2. Contoso Test (id-1)",
        "3. Contoso (id-3)",
        ...Array.from(
          { length: 3 },
          () => "The answer must have numbers from 1 to 3, names or IDs, with commas between them.",
        ),
        expect.stringContaining("Wrote"),
      ])
      const chosen = { "Contoso (id-3)": "id-3", "Contoso Test": "id-1" }
      expect(written(workspace)).toEqual({ ...azureSettings, subscriptions: chosen })
      for (const [answer, subscriptions] of [
        ["", all],
        ["ID-3", { "Contoso (id-3)": "id-3" }],
      ] as const) {
        expect((yield* run("init --azure --force", { answers: [answer] })).code).toBe(0)
        expect(written(workspace)).toEqual({ ...azureSettings, subscriptions })
      }
    }),
  )

  it.live("without a terminal stores all subscriptions, or those of the flags", () =>
    Effect.gen(function* () {
      const workspace = yield* makeWorkspace
      installAz(workspace)
      for (const [args, subscriptions] of [
        [[], all],
        [["-s", "contoso test", "-s", uuid], { "Contoso Test": "id-1", [uuid]: uuid }],
        [["-s", "Contoso (id-3)"], { "Contoso (id-3)": "id-3" }],
      ] as const) {
        expect(yield* run(["init", "--azure", "--force", ...args])).toMatchObject({ code: 0, questions: [] })
        expect(written(workspace)).toEqual({ ...azureSettings, subscriptions })
      }
      expect(yield* run("init --azure --force -s Contoso")).toMatchObject({
        code: 2,
        notes: [
          expect.anything(),
          expect.stringContaining("is the name of 2 subscriptions. Pass an ID, such as id-2, id-3."),
        ],
      })
    }),
  )

  it.live("writes nothing that commands would not read", () =>
    Effect.gen(function* () {
      const workspace = yield* makeWorkspace
      const line = ["init", "--base-url", "https://health.example"]
      const long = yield* run([...line, "-s", "x".repeat(4 * 1024 * 1024)])
      expect(long).toMatchObject({ code: 2, notes: [expect.stringContaining("larger than 4096 KB")] })
      mkdirSync(dirname(workspace.user), { recursive: true })
      chmodSync(dirname(workspace.user), 0o777)
      const shared = yield* run(line)
      expect(shared).toMatchObject({ code: 2, notes: [expect.stringContaining("other users can write to its folder")] })
      expect(workspace.files()).toEqual([])
    }),
  )

  it.live("takes the settings of another service from answers or flags", () =>
    Effect.gen(function* () {
      const workspace = yield* makeWorkspace
      const settings = {
        healthBaseUrl: "https://health.example",
        healthVendor: "Acme",
        tokenCommand: ["print-token", "x"],
        subscriptions: ["sub-1", "sub-2"],
      }
      const asked = yield* run("init", { answers: ["https://health.example", "Acme", "print-token x", "sub-1, sub-2"] })
      expect([asked.code, written(workspace)]).toEqual([0, settings])
      const flags = ["--vendor", "Acme", "--token-command", "print-token x", "-s", "sub-1", "-s", "sub-2", "--force"]
      const passed = yield* run(["init", "--base-url", "https://health.example", ...flags])
      expect([passed.code, passed.questions, written(workspace)]).toEqual([0, [], settings])
      const named = yield* run("init --force --base-url https://health.example -s Prod=sub-1 -s sub-2")
      expect([named.code, written(workspace)]).toEqual([
        0,
        { healthBaseUrl: "https://health.example", subscriptions: { Prod: "sub-1", "sub-2": "sub-2" } },
      ])
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
    [["--base-url", "https://health.example", "-s", "a/b"], 2, "--subscription"],
    [["--base-url", "https://health.example", "-s", "P="], 2, '"P=", in which the ID is missing'],
  ] as const)("with %j writes nothing", ([flags, code, words]) =>
    Effect.gen(function* () {
      const workspace = yield* makeWorkspace
      expect(yield* run(["init", ...flags])).toMatchObject({ code, notes: [expect.stringContaining(words)] })
      expect(workspace.files()).toEqual([])
    }),
  )

  it.live("does not need the Azure CLI with an ID", () =>
    Effect.gen(function* () {
      const workspace = yield* makeWorkspace
      vi.stubEnv("PATH", workspace.folder)
      const missing = [expect.stringContaining("install az")]
      expect(yield* run("init --azure -s name")).toMatchObject({ code: 1, notes: missing })
      expect(yield* run(`init --azure -s ${uuid}`)).toMatchObject({ code: 0 })
      expect(written(workspace)).toEqual({ ...azureSettings, subscriptions: { [uuid]: uuid } })
    }),
  )

  it.live.each([
    [
      "is signed out",
      `console.error('WARNING: Run "az login"\\nto sign in.');console.log("[]")`,
      `says: Run "az login" to sign in.`,
    ],
    [
      "fails",
      `console.error("WARNING: old\\n\\x1b[31mERROR: No\\x1b]0;x\\x07 token");process.exit(1)`,
      "says: No token. Run",
    ],
    ["prints something else", `console.log("{")`, "It printed no list: run az account list"],
    ["fails without words", `process.exit(3)`, "It failed (exit code 3): run az account list"],
    ["prints too much", `for (;;) require("node:fs").writeSync(1, "x".repeat(2 ** 20))`, "more than 16 MB"],
  ] as const)("reports an Azure CLI that %s", ([, script, words]) =>
    Effect.gen(function* () {
      const workspace = yield* makeWorkspace
      installAz(workspace, script)
      expect(yield* run("init --azure")).toMatchObject({ code: 1, notes: [expect.stringContaining(words)] })
      expect(written(workspace)).toBeNull()
    }),
  )

  it.live("keeps hostile names apart, and ignores entries without an ID", () =>
    Effect.gen(function* () {
      const workspace = yield* makeWorkspace
      const list = [
        { id: "victim", name: "Production" },
        { id: "attacker", name: "vic\u200btim" },
        { id: "escape", name: "\u001b[2J\u202eNew\nline" },
        { id: "VICTIM", name: "Again" },
        { id: "nameless", name: null },
        { id: "a/b", name: "x" },
        7,
      ]
      installAz(workspace, `console.log(${JSON.stringify(JSON.stringify(list))})`)
      expect(yield* run("init --azure")).toMatchObject({ code: 0 })
      expect(written(workspace)).toMatchObject({
        subscriptions: {
          Production: "victim",
          "victim (attacker)": "attacker",
          "New line": "escape",
          nameless: "nameless",
        },
      })
    }),
  )
})
