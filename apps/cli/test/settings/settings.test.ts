import fs, { mkdirSync } from "node:fs"
import { syncBuiltinESMExports } from "node:module"
import { describe, expect, it } from "@effect/vitest"
import * as ApiVersion from "@vigil/health-schema/ApiVersion"
import { Faults, Reply } from "@vigil/sandbox"
import * as Effect from "effect/Effect"
import { afterEach, vi } from "vitest"
import { run } from "../support/run.js"
import { makeWorkspace } from "../support/workspace.js"

afterEach(() => {
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
  syncBuiltinESMExports()
})

const canary = "canary-8c2e"

/** Settings with subscriptions, and the IDs that a list requests. */
const subscriptionScene = Effect.gen(function* () {
  const workspace = yield* makeWorkspace
  vi.stubEnv("HEALTH_ACCESS_TOKEN", canary)
  const { origin, requests } = yield* Faults.serve(() => Reply.page([]))
  return {
    write: (settings: object) =>
      workspace.write(workspace.user, JSON.stringify({ healthBaseUrl: origin, ...settings })),
    list: Effect.fnUntraced(function* (...args: ReadonlyArray<string>) {
      const before = (yield* requests).length
      expect(yield* run(["events", "list", ...args])).toMatchObject({ code: 0 })
      const sent = (yield* requests).slice(before)
      return sent.flatMap(({ target }) => /subscriptions\/([^/]+)\//.exec(target)?.[1] ?? []).toSorted()
    }),
  }
})

describe("settings", () => {
  it.live("of flags override the environment, which overrides the user's file", () =>
    Effect.gen(function* () {
      const workspace = yield* makeWorkspace
      const { origin, requests } = yield* Faults.serve([Reply.page([])])
      vi.stubEnv("HEALTH_ACCESS_TOKEN", canary)
      const requestedSubscription = (line: string) =>
        Effect.gen(function* () {
          expect(yield* run(line)).toMatchObject({ code: 0 })
          const targets = (yield* requests).map(({ target }) => target)
          const target = targets.findLast((one) => one.startsWith("/subscriptions/")) ?? ""
          expect(target).toContain("/providers/Acme.ResourceHealth/events?api-version=2025-04-01")
          return /subscriptions\/(\w+)\//.exec(target)?.[1]
        })
      const settings = { healthBaseUrl: origin, healthVendor: "Acme", subscription: "user", apiVersion: "2025-04-01" }
      workspace.write(workspace.user, JSON.stringify(settings))
      expect(yield* requestedSubscription("events list")).toBe("user")
      vi.stubEnv("HEALTH_SUBSCRIPTION", "environment")
      expect(yield* requestedSubscription("events list")).toBe("environment")
      expect(yield* requestedSubscription("events list -s flag")).toBe("flag")
    }),
  )

  it.live("are read once per run", () =>
    Effect.gen(function* () {
      const workspace = yield* makeWorkspace
      const { origin } = yield* Faults.serve([Reply.page([])])
      const settings = { healthBaseUrl: origin, healthVendor: "Acme", subscription: "user", apiVersion: "2025-04-01" }
      workspace.write(workspace.user, JSON.stringify({ ...settings, tokenCommand: [process.execPath, "-p", "'t'"] }))
      const open = vi.spyOn(fs.promises, "open")
      syncBuiltinESMExports()
      expect(yield* run("events list")).toMatchObject({ code: 0 })
      expect(open.mock.calls.filter(([file]) => file === workspace.user)).toHaveLength(1)
    }),
  )

  it.live("list the subscriptions of every command, with names or without", () =>
    Effect.gen(function* () {
      const { list, write } = yield* subscriptionScene
      const subscriptions = { prod: "id-1", "a, b": "id-2" }
      const cases: ReadonlyArray<readonly [object, variable: string, ids: ReadonlyArray<string>]> = [
        [{ subscriptions }, "", ["id-1", "id-2"]],
        [{ subscriptions: ["id-1", "ID-1", "id-3"] }, "", ["id-1", "id-3"]],
        // Settings of earlier releases.
        [{ subscription: "prod", subscriptions }, "", ["id-1", "id-2"]],
        [{ subscription: "id-3", subscriptions }, "", ["id-1", "id-2", "id-3"]],
        [{ subscription: "id-3" }, "", ["id-3"]],
        [{ subscriptions }, "id-3", ["id-3"]],
        [{ subscriptions }, "prod, id-3,", ["id-1", "id-3"]],
        [{ subscriptions }, "a, b", ["id-2"]],
        [{ subscriptions: { "a=b": "id-1" } }, "a=b, Stage=id-2, a=c=id-3", ["id-1", "id-2", "id-3"]],
      ]
      for (const [settings, variable, ids] of cases) {
        write(settings)
        vi.stubEnv("HEALTH_SUBSCRIPTION", variable)
        expect(yield* list()).toEqual(ids)
      }
    }),
  )

  it.live("without a subscription end with advice", () =>
    Effect.gen(function* () {
      const { write } = yield* subscriptionScene
      write({ subscriptions: [] })
      expect(yield* run("events list")).toMatchObject({
        code: 2,
        notes: [expect.stringMatching(/vigil init, set HEALTH_SUBSCRIPTION, or pass --subscription ID\.$/)],
      })
    }),
  )

  it.live("leave out the tenant for every command, not for the sandbox", () =>
    Effect.gen(function* () {
      const workspace = yield* makeWorkspace
      vi.stubEnv("HEALTH_ACCESS_TOKEN", canary)
      const { origin, requests } = yield* Faults.serve(() => Reply.page([]))
      const readsTenant = Effect.fnUntraced(function* (variable: string, settings: object, flags = "-s x") {
        vi.stubEnv("HEALTH_WITHOUT_TENANT", variable)
        workspace.write(workspace.user, JSON.stringify({ healthBaseUrl: origin, ...settings }))
        const before = (yield* requests).length
        const { notes } = yield* run(`resources list ${flags}`)
        const ofTenant = (yield* requests)
          .slice(before)
          .some(({ target }) => /^\/providers\/\w+\.\w+\/events/.test(target))
        return [ofTenant, notes.some((note) => note.includes("without the tenant"))]
      })
      expect(yield* readsTenant("", {})).toEqual([true, false])
      expect(yield* readsTenant("1", {})).toEqual([false, true])
      expect(yield* readsTenant("", { healthWithoutTenant: true })).toEqual([false, true])
      expect(yield* readsTenant("0", { healthWithoutTenant: true })).toEqual([true, false])
      expect(yield* readsTenant("1", {}, "--sandbox")).toEqual([false, false])
      vi.stubEnv("HEALTH_WITHOUT_TENANT", "maybe")
      expect(yield* run("resources list -s x")).toMatchObject({ code: 2, notes: [/HEALTH_WITHOUT_TENANT/] })
      vi.stubEnv("HEALTH_WITHOUT_TENANT", "")
      workspace.write(workspace.user, JSON.stringify({ healthBaseUrl: origin, healthWithoutTenant: "yes" }))
      expect((yield* run("resources list -s x")).notes).toEqual([expect.stringMatching(/is not true or false/)])
    }),
  )

  it.live("of the environment name subscriptions", () =>
    Effect.gen(function* () {
      const { list, write } = yield* subscriptionScene
      write({})
      vi.stubEnv("HEALTH_SUBSCRIPTION", "Prod / EU=id-1,Staging=id-2")
      expect(yield* list("-s", "staging")).toEqual(["id-2"])
      expect((yield* run("events list -s stagign")).notes[0]).toMatch(/"stagign"\. Did you mean "Staging"\?$/)
      expect((yield* run("events list")).notes.at(-1)).toMatch(/^0 events of Prod \/ EU and Staging/)
    }),
  )

  it.live.each([
    ["P=", '"P=", in which the ID is missing'],
    ["=id-1", '"=id-1", in which the name is missing'],
    ["P=id-1, P=id-2", 'the name "P" for id-1 and id-2'],
  ])("of the environment are refused with the reason: %s", ([variable, reason]) =>
    Effect.gen(function* () {
      const { write } = yield* subscriptionScene
      write({})
      vi.stubEnv("HEALTH_SUBSCRIPTION", variable)
      const refused = { code: 2, notes: [expect.stringContaining(`HEALTH_SUBSCRIPTION has ${reason}`)] }
      expect(yield* run("events list")).toMatchObject(refused)
      expect((yield* run("events list -s id-3")).code).toBe(0)
    }),
  )

  it.live.each([
    ["", "The settings have only IDs."],
    ["Production=", 'The names are "Production".'],
  ] as const)("say what subscriptions they have for a text that is not a UUID, if all IDs are: %s", ([name, known]) =>
    Effect.gen(function* () {
      const { write } = yield* subscriptionScene
      write({})
      vi.stubEnv("HEALTH_SUBSCRIPTION", `${name}a0000001-6532-483d-8ca0-ae7c8b8ddcdc`)
      const [note, ...others] = (yield* run("events list -s Unlike")).notes
      expect(note).toBe(`vigil: No subscription has the name "Unlike". ${known}`)
      expect(others).toEqual([expect.stringMatching(/^0 events of Unlike/)])
    }),
  )

  it.live("name subscriptions of flags and files, with a hint for a name that is misspelled", () =>
    Effect.gen(function* () {
      const { list: listed, write } = yield* subscriptionScene
      write({ subscriptions: { prod: "id-1", "test / eu": "id-2" } })
      for (const [flags, input = []] of [["-s Pord"], ["--subscriptions-file -", ["prod", "Pord"]]] as const)
        expect((yield* run(`events list ${flags}`, { input })).notes).toContain(
          'vigil: No subscription has the name "Pord". Did you mean "prod"?',
        )
      for (const text of ["prod", "ID-1", "unlike"])
        expect((yield* run(`events list -s ${text}`)).notes).toEqual([expect.stringMatching(/^0 events of /)])
      expect(yield* listed("-s", "test / eu", "-s", "id-3", "-s", "id-2")).toEqual(["id-2", "id-3"])
      expect(yield* listed("-s", "toString")).toEqual(["toString"])
      expect(yield* run("events list -s a/b")).toMatchObject({
        code: 2,
        notes: [expect.stringContaining(`--subscription "a/b"`)],
      })
    }),
  )

  it.live.each([
    ["healthBaseUrl", "nowhere", "events list -s x", "HEALTH_BASE_URL"],
    ["healthVendor", "a/b", "events list -s x --base-url http://127.0.0.1:1", "HEALTH_VENDOR"],
    ["appmgmtBaseUrl", "nowhere", "apps list", "APPMGMT_BASE_URL"],
  ] as const)("that are invalid are reported with their source: %s", ([key, value, line, variable]) =>
    Effect.gen(function* () {
      const workspace = yield* makeWorkspace
      vi.stubEnv("APPMGMT_API_TOKEN", "canary-18aa")
      workspace.write(workspace.user, JSON.stringify({ [key]: value }))
      const invalid = (from: string) => ({ code: 2, notes: [expect.stringContaining(from)] })
      expect(yield* run(line)).toMatchObject(invalid(`${key} in "${workspace.user}"`))
      vi.stubEnv(variable, value)
      expect(yield* run(line)).toMatchObject(invalid(variable))
    }),
  )

  it.live("of a real service do not apply to the sandbox, except the version", () =>
    Effect.gen(function* () {
      const workspace = yield* makeWorkspace
      const settings = { healthBaseUrl: "http://127.0.0.1:1", subscription: "none", apiVersion: "2025-04-01" }
      workspace.write(workspace.user, JSON.stringify({ ...settings, portalUrl: "https://portal.example" }))
      const { code, data } = yield* run("events list --sandbox -o json")
      expect(code).toBe(0)
      expect(data.join("")).toContain("systemData")
      const url = "apps url fleet/dispatch --owner-type org"
      expect((yield* run(url)).data).toEqual(["https://portal.example/orgs/fleet/apps/dispatch"])
      expect((yield* run(`${url} --sandbox`)).data).toEqual([expect.stringMatching(/^http:\/\/127\.0\.0\.1:/)])
    }),
  )

  it.live.each([
    ["{", "JSON"],
    ["[]", "JSON object"],
    [`{"healthBaseURL":"x"}`, `Unknown setting "healthBaseURL"`],
    [`{"__proto__":"x"}`, `Unknown setting "__proto__"`],
    [`{"toString":"x"}`, `Unknown setting "toString"`],
    [`{"subscription":7}`, `"subscription"`],
    [`{"subscription":""}`, `"subscription"`],
    [`{"subscriptions":{"prod":"a/b"}}`, `"subscriptions"`],
    [`{"subscriptions":["a/b"]}`, `"subscriptions"`],
    [`{"apiVersion":"2020-1-1"}`, ApiVersion.defaultVersion],
    [undefined, "regular file"],
    [`{"apiToken":"${canary}"}`, `"apiToken"`],
    [`{"HEALTH_ACCESS_TOKEN":"${canary}"}`, "--token-stdin"],
    [`{"api_key":{"value":"${canary}"}}`, "--token-stdin"],
    [`{"healthBaseUrl":"https://me:${canary}@service.example"}`, "--token-stdin"],
    [`{"appmgmtBaseUrl":"https://${canary}@service.example"}`, `"appmgmtBaseUrl"`],
  ] as const)("of a file that contains %s fail with a usage error that names the file", ([text, words]) =>
    Effect.gen(function* () {
      const workspace = yield* makeWorkspace
      if (text === undefined) mkdirSync(workspace.user, { recursive: true })
      else workspace.write(workspace.user, text)
      const { code, data, notes } = yield* run("events list -s x")
      expect({ code, data }).toEqual({ code: 2, data: [] })
      expect(notes).toEqual([expect.stringContaining(words)])
      expect(notes[0]).toContain(workspace.user)
      expect(notes[0]).not.toContain(canary)
    }),
  )

  it.live("with an invalid version in the environment are rejected, and not printed", () =>
    Effect.gen(function* () {
      vi.stubEnv("HEALTH_API_VERSION", canary)
      const { code, notes } = yield* run("events list --sandbox")
      expect({ code, notes }).toEqual({ code: 2, notes: [expect.stringContaining("HEALTH_API_VERSION")] })
      expect(notes[0]).not.toContain(canary)
    }),
  )
})

describe("a secret on the command line", () => {
  it.live.each([
    [`apps whoami --token ${canary}`],
    [`auth login ${canary}`],
    [`auth login --token-stdin ${canary}`],
    [`auth login --token-stdin=${canary}`],
    [`auth login -- ${canary}`],
  ] as const)("as in %s is rejected with advice, and not printed", ([line]) =>
    Effect.gen(function* () {
      const { code, data, notes } = yield* run(line)
      expect({ code, data, notes }).toEqual({ code: 2, data: [], notes: [expect.stringContaining("--token-stdin")] })
      expect(notes[0]).not.toContain(canary)
    }),
  )
})
