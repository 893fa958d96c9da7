import { describe, expect, it } from "@effect/vitest"
import { Faults, Reply } from "@vigil/sandbox"
import * as Effect from "effect/Effect"
import { afterEach, vi } from "vitest"
import { makeWorkspace } from "./workspace.js"
import { run } from "./run.js"

afterEach(() => {
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
})

const canary = "canary-8c2e"

/** A service with an empty list, whose requests the tests check. */
const empty = Faults.serve([Reply.page([])])

describe("settings", () => {
  it.scopedLive("are read from the project's file, including subscription, vendor and version", () =>
    Effect.gen(function* () {
      const workspace = yield* makeWorkspace
      const { origin, awaitRequests } = yield* empty
      workspace.write(workspace.user, JSON.stringify({ healthBaseUrl: origin }))
      const settings = { healthVendor: "Acme", subscription: "s-1", apiVersion: "2025-04-01" }
      workspace.write(workspace.project, JSON.stringify(settings))
      expect(yield* run("events list")).toMatchObject({ code: 0 })
      const { target } = yield* awaitRequests(1)
      expect(target).toContain("/subscriptions/s-1/providers/Acme.ResourceHealth/events?api-version=2025-04-01")
    }),
  )

  it.scopedLive(
    "of flags override the environment, which overrides the project's file, which overrides the user's file",
    () =>
      Effect.gen(function* () {
        const workspace = yield* makeWorkspace
        const { origin, awaitRequests } = yield* empty
        const requestedSubscription = (line: string, count: number) =>
          Effect.gen(function* () {
            expect(yield* run(line)).toMatchObject({ code: 0 })
            return /subscriptions\/(\w+)\//.exec((yield* awaitRequests(count)).target)?.[1]
          })
        workspace.write(workspace.user, JSON.stringify({ healthBaseUrl: origin, subscription: "user" }))
        expect(yield* requestedSubscription("events list", 1)).toBe("user")
        workspace.write(workspace.project, JSON.stringify({ subscription: "project" }))
        expect(yield* requestedSubscription("events list", 2)).toBe("project")
        vi.stubEnv("HEALTH_SUBSCRIPTION", "environment")
        expect(yield* requestedSubscription("events list", 3)).toBe("environment")
        expect(yield* requestedSubscription("events list -s flag", 4)).toBe("flag")
      }),
  )

  it.scopedLive("include the portal URL", () =>
    Effect.gen(function* () {
      const workspace = yield* makeWorkspace
      workspace.write(workspace.user, JSON.stringify({ portalUrl: "https://portal.example" }))
      const { data } = yield* run("apps url fleet/dispatch --owner-type org")
      expect(data).toEqual(["https://portal.example/orgs/fleet/apps/dispatch"])
    }),
  )

  it.scopedLive.each([
    ["healthBaseUrl", "nowhere", "events list -s x", "HEALTH_BASE_URL"],
    ["healthVendor", "a/b", "events list -s x --base-url http://127.0.0.1:1", "HEALTH_VENDOR"],
    ["appmgmtBaseUrl", "nowhere", "apps list", "APPMGMT_BASE_URL"],
  ] as const)("that are invalid are reported with their source: %s", ([key, value, line, variable]) =>
    Effect.gen(function* () {
      const workspace = yield* makeWorkspace
      vi.stubEnv("APPMGMT_API_TOKEN", "canary-18aa")
      workspace.write(workspace.user, JSON.stringify({ [key]: value }))
      const invalid = (from: string) => ({
        code: 2,
        notes: [expect.stringMatching(`The invalid value is from ${from}.$`)],
      })
      expect(yield* run(line)).toMatchObject(invalid(`${key} in "${workspace.user}"`))
      vi.stubEnv(variable, value)
      expect(yield* run(line)).toMatchObject(invalid(variable))
    }),
  )

  it.scopedLive("of a real service do not apply to the sandbox, except the version", () =>
    Effect.gen(function* () {
      const workspace = yield* makeWorkspace
      workspace.write(
        workspace.project,
        JSON.stringify({ healthBaseUrl: "http://127.0.0.1:1", subscription: "none", apiVersion: "2025-04-01" }),
      )
      const { code, data } = yield* run("events list --sandbox -o json")
      expect(code).toBe(0)
      expect(data.join("")).toContain("systemData")
      vi.stubEnv("APPMGMT_PORTAL_URL", "https://portal.example")
      const { data: url } = yield* run("apps url fleet/dispatch --sandbox")
      expect(url).toEqual([expect.stringMatching(/^http:\/\/127\.0\.0\.1:/)])
    }),
  )

  it.scopedLive.each([
    ["{", `are not valid JSON. Fix or remove the file.`],
    ["[]", "are not a JSON object, such as {}."],
    [`{"healthBaseURL":"x"}`, `Unknown setting "healthBaseURL": remove it from `],
    [`{"__proto__":"x"}`, `Unknown setting "__proto__"`],
    [`{"toString":"x"}`, `Unknown setting "toString"`],
    [`{"subscription":7}`, `"subscription" in `],
    [`{"subscription":""}`, "is not a non-empty text."],
    [`{"apiVersion":"2020-01-01"}`, "is not one of 2025-05-01, 2025-04-01."],
  ] as const)("of a file that contains %s fail with a usage error that names the file", ([text, words]) =>
    Effect.gen(function* () {
      const workspace = yield* makeWorkspace
      workspace.write(workspace.project, text)
      const { code, data, notes } = yield* run("events list -s x")
      expect({ code, data }).toEqual({ code: 2, data: [] })
      expect(notes).toEqual([expect.stringContaining(words)])
      expect(notes[0]).toContain(workspace.project)
      expect(notes[0]).not.toContain("--help")
    }),
  )

  it.scopedLive("fail if the file is a folder", () =>
    Effect.gen(function* () {
      const workspace = yield* makeWorkspace
      workspace.write(`${workspace.project}/a`, "")
      const { code, notes } = yield* run("events list -s x")
      expect({ code, notes }).toEqual({ code: 2, notes: [expect.stringContaining("is not a regular file.")] })
    }),
  )

  it.live("with an invalid version in the environment are rejected, and not printed", () =>
    Effect.gen(function* () {
      vi.stubEnv("HEALTH_API_VERSION", canary)
      const { code, notes } = yield* run("events list --sandbox")
      expect(code).toBe(2)
      expect(notes).toEqual([
        expect.stringContaining("HEALTH_API_VERSION is not a supported version. Set it to 2025-05-01 or 2025-04-01."),
      ])
      expect(notes[0]).not.toContain(canary)
    }),
  )
})

/** The advice of each error. */
const advice = "vigil auth login --token-stdin."

describe("a secret in a settings file", () => {
  it.scopedLive.each([
    ["token", canary],
    ["apiToken", canary],
    ["HEALTH_ACCESS_TOKEN", canary],
    ["access-token", canary],
    ["clientSecret", canary],
    ["password", canary],
    ["api_key", { value: canary }],
    ["healthBaseUrl", `https://me:${canary}@service.example`],
    ["appmgmtBaseUrl", `https://${canary}@service.example`],
  ] as const)("as %s is rejected with advice, and not printed", ([key, value]) =>
    Effect.gen(function* () {
      const workspace = yield* makeWorkspace
      workspace.write(workspace.user, JSON.stringify({ [key]: value }))
      const { code, data, notes } = yield* run("events list -s x")
      expect({ code, data }).toEqual({ code: 2, data: [] })
      expect(notes).toEqual([expect.stringContaining(JSON.stringify(key))])
      expect(notes[0]).toContain(workspace.user)
      expect(notes[0]).toContain(advice)
      expect(notes[0]).not.toContain(canary)
    }),
  )
})

describe("a secret on the command line", () => {
  it.live.each([
    [`apps whoami --token ${canary}`],
    [`apps whoami --token=${canary}`],
    [`apps whoami --api-token ${canary}`],
    [`--api-token=${canary} apps whoami`],
    [`events list --access_token ${canary}`],
    [`events list --password ${canary}`],
    [`events list --api-key ${canary}`],
    [`events list --base-url https://me:${canary}@service.example`],
    [`events list --base-url=https://${canary}@service.example`],
    [`events list --base-url https:\\\\${canary}@service.example`],
    [`events list https://${canary}@service.example`],
    [`auth login ${canary}`],
    [`auth login --token-stdin ${canary}`],
    [`auth login --token-stdin=${canary}`],
    [`auth login --service apps ${canary}`],
    [`auth login --service=apps ${canary}`],
    [`auth login -- ${canary}`],
    [`--log-level debug auth login ${canary}`],
  ] as const)("as in %s is rejected with advice, and not printed", ([line]) =>
    Effect.gen(function* () {
      const { code, data, notes } = yield* run(line)
      expect({ code, data }).toEqual({ code: 2, data: [] })
      expect(notes).toEqual([expect.stringContaining(advice)])
      expect(notes[0]).toContain("Treat the secret as leaked.")
      expect(notes[0]).not.toContain(canary)
    }),
  )
})
