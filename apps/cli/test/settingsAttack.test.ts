/** An untrusted settings file in the working folder, and what it may do. */
import { chmodSync, chownSync, existsSync, readFileSync, statSync } from "node:fs"
import { dirname, join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import { Faults, Reply } from "@vigil/sandbox"
import * as Effect from "effect/Effect"
import { afterEach, vi } from "vitest"
import * as OwnedFile from "../src/settings/OwnedFile.js"
import { makeWorkspace, type Workspace } from "./workspace.js"
import { run, type Run } from "./run.js"

afterEach(() => {
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
})

const canary = "canary-77e1-token"

/** The user's service, the attacker's service, and a working folder. `plant` writes the attacker's settings file. */
const scene = Effect.gen(function* () {
  const workspace = yield* makeWorkspace
  const own = yield* Faults.serve(() => Reply.page([]))
  const evil = yield* Faults.serve(() => Reply.page([]))
  vi.stubEnv("HEALTH_ACCESS_TOKEN", canary)
  vi.stubEnv("APPMGMT_API_TOKEN", canary)
  vi.stubEnv("HEALTH_SUBSCRIPTION", "s")
  workspace.write(workspace.user, JSON.stringify({ healthBaseUrl: own.origin, appmgmtBaseUrl: own.origin }))
  const redirect = { healthBaseUrl: evil.origin, appmgmtBaseUrl: evil.origin }
  return { workspace, own, evil, plant: () => workspace.write(workspace.project, JSON.stringify(redirect)), redirect }
})

/** Everything that the attacker's server has received. */
const stolen = ({ bytes, requests }: Effect.Effect.Success<typeof scene>["evil"]) => Effect.all([requests, bytes])

const trustEntries = ({ files }: Workspace) => files().filter(({ file }) => file.includes("/trusted/"))

const outputOf = ({ data, notes }: Run) => [...data, ...notes].join("\n")

describe("an untrusted vigil.config.json that names another origin", () => {
  it.scopedLive.each([
    ["events list", 2],
    ["events show AB12-CD3", 2],
    ["events details AB12-CD3", 2],
    ["events watch --once", 2],
    ["events sweep --subscriptions-file -", 2],
    ["events timeline", 2],
    ["apps whoami", 2],
    ["apps list", 2],
    ["apps remove-user a/b ada@vigil.example --yes", 2],
    ["auth status", 2],
    ["auth login --token-stdin", 2],
    ["auth login --service apps --token-stdin", 2],
    ["doctor", 1],
  ] as const)("is rejected by vigil %s, which exits with %i, sends nothing and suggests vigil trust", ([line, code]) =>
    Effect.gen(function* () {
      const { evil, own, plant, workspace } = yield* scene
      plant()
      const ended = yield* run(line, { input: [line.includes("stdin") ? canary : "s"] })
      expect(yield* stolen(evil)).toEqual([[], ""])
      expect(yield* own.requests).toEqual([])
      expect(ended.code).toBe(code)
      expect(outputOf(ended)).toContain("vigil trust")
      expect(outputOf(ended)).toContain(evil.origin)
      expect(outputOf(ended)).not.toContain(canary)
      expect(existsSync(workspace.tokenFile("health"))).toBe(false)
      expect(existsSync(workspace.tokenFile("apps"))).toBe(false)
    }),
  )

  it.scopedLive("is rejected even without user settings", () =>
    Effect.gen(function* () {
      const { evil, plant, workspace } = yield* scene
      workspace.write(workspace.user, "{}")
      plant()
      expect(yield* run("events list")).toMatchObject({ code: 2, data: [] })
      expect(yield* stolen(evil)).toEqual([[], ""])
    }),
  )

  it.scopedLive("cannot set the authorization URL, the client ID, the scope or the portal URL", () =>
    Effect.gen(function* () {
      const { evil, workspace } = yield* scene
      const refused = (line: string, settings: object, key: string) =>
        Effect.gen(function* () {
          workspace.write(workspace.project, JSON.stringify(settings))
          const { code, data, notes } = yield* run(line)
          expect({ code, data, notes }).toEqual({ code: 2, data: [], notes: [expect.stringContaining(`sets ${key} `)] })
        })
      yield* refused("auth login --no-browser --client-id x", { authUrl: evil.origin }, "authUrl")
      vi.stubEnv("HEALTH_AUTH_URL", evil.origin)
      yield* refused("auth login --no-browser", { clientId: "evil" }, "clientId")
      yield* refused("auth login --no-browser --client-id x", { scope: "everything" }, "scope")
      yield* refused("apps url a/b --owner-type org", { portalUrl: evil.origin }, "portalUrl")
    }),
  )

  it.scopedLive("does not affect commands that do not use its URLs", () =>
    Effect.gen(function* () {
      const { evil, own, workspace } = yield* scene
      workspace.write(workspace.project, JSON.stringify({ appmgmtBaseUrl: evil.origin, authUrl: evil.origin }))
      expect(yield* run("events list")).toMatchObject({ code: 0 })
      expect(yield* own.requests).toHaveLength(1)
    }),
  )

  it.scopedLive("is overridden by a flag and by the environment", () =>
    Effect.gen(function* () {
      const { evil, own, plant } = yield* scene
      plant()
      expect(yield* run(`events list --base-url ${own.origin}`)).toMatchObject({ code: 0 })
      vi.stubEnv("HEALTH_BASE_URL", own.origin)
      expect(yield* run("events list")).toMatchObject({ code: 0 })
      expect(yield* own.requests).toHaveLength(2)
      expect(yield* stolen(evil)).toEqual([[], ""])
    }),
  )

  it.scopedLive("is used if the user's settings name the same origin for the same service", () =>
    Effect.gen(function* () {
      const { own, workspace } = yield* scene
      workspace.write(workspace.project, JSON.stringify({ healthBaseUrl: `${own.origin}/path` }))
      expect(yield* run("events list")).toMatchObject({ code: 0 })
      expect((yield* own.awaitRequests(1)).target).toMatch(/^\/path\/subscriptions\/s\//)
    }),
  )

  it.scopedLive("is not used if the user's settings name the origin only for another service", () =>
    Effect.gen(function* () {
      const { evil, own, redirect, workspace } = yield* scene
      workspace.write(workspace.user, JSON.stringify({ healthBaseUrl: own.origin, appmgmtBaseUrl: evil.origin }))
      workspace.write(workspace.project, JSON.stringify({ healthBaseUrl: redirect.healthBaseUrl }))
      expect(yield* run("events list")).toMatchObject({ code: 2 })
      expect(yield* stolen(evil)).toEqual([[], ""])
    }),
  )

  it.scopedLive("is not used if its URL is invalid, even if the user's settings are invalid too", () =>
    Effect.gen(function* () {
      const { workspace } = yield* scene
      workspace.write(workspace.user, JSON.stringify({ healthBaseUrl: "nowhere" }))
      workspace.write(workspace.project, JSON.stringify({ healthBaseUrl: "elsewhere" }))
      const { code, notes } = yield* run("events list")
      expect({ code, notes }).toEqual({ code: 2, notes: [expect.stringContaining("vigil trust")] })
    }),
  )
})

describe("vigil trust", () => {
  it.scopedLive("prints the settings of the file, and allows its origins", () =>
    Effect.gen(function* () {
      const { evil, plant, redirect, workspace } = yield* scene
      plant()
      const { code, data, notes } = yield* run("trust")
      expect({ code, data, notes }).toEqual({
        code: 0,
        data: [],
        notes: [
          `Trusted ${JSON.stringify(workspace.project)} until it changes:`,
          `  healthBaseUrl: ${redirect.healthBaseUrl}`,
          `  appmgmtBaseUrl: ${redirect.appmgmtBaseUrl}`,
        ],
      })
      expect(yield* run("events list")).toMatchObject({ code: 0, notes: [expect.not.stringContaining("trust")] })
      expect(yield* evil.requests).toHaveLength(1)
    }),
  )

  it.scopedLive("stores one file of mode 600 in a folder of mode 700 of the user's settings", () =>
    Effect.gen(function* () {
      const { plant, workspace } = yield* scene
      plant()
      yield* run("trust")
      const entries = trustEntries(workspace)
      expect(entries.map(({ mode }) => mode)).toEqual([0o600])
      const folder = dirname(entries[0]?.file ?? "")
      expect(dirname(folder)).toBe(dirname(workspace.user))
      expect(statSync(folder).mode & 0o777).toBe(0o700)
    }),
  )

  it.scopedLive("applies until the file changes, and not to a copy in another folder", () =>
    Effect.gen(function* () {
      const { evil, plant, workspace } = yield* scene
      plant()
      yield* run("trust")
      const text = readFileSync(workspace.project, "utf8")
      workspace.write(workspace.project, `${text} `)
      expect(yield* run("events list")).toMatchObject({ code: 2 })
      const other = `${dirname(workspace.project)}/other`
      workspace.write(`${other}/vigil.config.json`, text)
      vi.spyOn(process, "cwd").mockReturnValue(other)
      expect(yield* run("events list")).toMatchObject({ code: 2 })
      expect(yield* stolen(evil)).toEqual([[], ""])
    }),
  )

  it.scopedLive("--remove also revokes trust in earlier versions of the file, even if it is invalid now", () =>
    Effect.gen(function* () {
      const { plant, workspace } = yield* scene
      plant()
      const text = readFileSync(workspace.project, "utf8")
      yield* run("trust")
      workspace.write(workspace.project, `${text} `)
      yield* run("trust")
      workspace.write(workspace.project, "{")
      expect(yield* run("trust --remove")).toMatchObject({ code: 0 })
      workspace.write(workspace.project, text)
      expect(yield* run("events list")).toMatchObject({ code: 2 })
      expect(trustEntries(workspace)).toEqual([])
    }),
  )

  it.scopedLive("is not needed with --sandbox", () =>
    Effect.gen(function* () {
      const { redirect, workspace } = yield* scene
      workspace.write(workspace.project, JSON.stringify({ ...redirect, portalUrl: redirect.healthBaseUrl, scope: "x" }))
      const routes = join(dirname(workspace.project), "routes.yaml")
      workspace.write(routes, "sinks: {}\nroutes: []\n")
      expect(yield* run(`notify check ${routes} --sandbox`)).toMatchObject({ code: 0 })
      expect(yield* run("apps url fleet/dispatch --sandbox")).toMatchObject({ code: 0 })
    }),
  )

  it.scopedLive("is revoked by --remove", () =>
    Effect.gen(function* () {
      const { evil, plant, workspace } = yield* scene
      plant()
      yield* run("trust")
      expect(yield* run("trust --remove")).toMatchObject({
        code: 0,
        notes: [`${JSON.stringify(workspace.project)} is not trusted.`],
      })
      expect(trustEntries(workspace)).toEqual([])
      expect(yield* run("events list")).toMatchObject({ code: 2 })
      expect(yield* run("trust --remove")).toMatchObject({ code: 0 })
      expect(yield* stolen(evil)).toEqual([[], ""])
    }),
  )

  it.scopedLive("ignores a trust entry that another user may have written", () =>
    Effect.gen(function* () {
      const { evil, plant, workspace } = yield* scene
      plant()
      yield* run("trust")
      chmodSync(trustEntries(workspace)[0]?.file ?? "", 0o666)
      expect(yield* run("events list")).toMatchObject({ code: 2 })
      expect(yield* stolen(evil)).toEqual([[], ""])
    }),
  )

  it.scopedLive("fails without a file, and with a file that is ignored or invalid", () =>
    Effect.gen(function* () {
      const { plant, workspace } = yield* scene
      const failed = (words: string) => ({ code: 2, data: [], notes: [expect.stringContaining(words)] })
      expect(yield* run("trust")).toMatchObject(failed("This folder has no vigil.config.json."))
      workspace.write(workspace.project, `{"token":"${canary}"}`)
      expect(yield* run("trust")).toMatchObject(failed("looks like a secret"))
      plant()
      chmodSync(workspace.project, 0o622)
      expect(yield* run("trust")).toMatchObject(failed("other users can write to it"))
      expect(trustEntries(workspace)).toEqual([])
    }),
  )
})

/** Makes another user own the file. Without root, changes the user ID that this process reports instead. */
const giveAway = (file: string) => {
  if (process.getuid?.() === 0) return chownSync(file, 65_534, 65_534)
  vi.spyOn(process as Required<Pick<NodeJS.Process, "getuid">>, "getuid").mockReturnValue(65_534)
}

describe("a settings file that another user may have written", () => {
  const attacks = [
    ["that belongs to another user", "belongs to another user", (file: string) => giveAway(file)],
    ["that others can write to", "other users can write to it", (file: string) => chmodSync(file, 0o646)],
    [
      "in a folder that others can write to",
      "other users can write to its folder",
      (file: string) => chmodSync(dirname(file), 0o777),
    ],
    [
      "in a sticky folder such as /tmp",
      "other users can write to its folder",
      (file: string) => chmodSync(dirname(file), 0o1777),
    ],
  ] as const

  it.scopedLive.each(attacks)("(%s) is ignored with a note", ([, words, attack]) =>
    Effect.gen(function* () {
      const { evil, own, redirect, workspace } = yield* scene
      workspace.write(
        workspace.project,
        JSON.stringify({ ...redirect, subscription: "evil", apiVersion: "2025-04-01" }),
      )
      vi.stubEnv("HEALTH_SUBSCRIPTION", "")
      attack(workspace.project)
      vi.stubEnv("HEALTH_BASE_URL", own.origin)
      const { code, notes } = yield* run("events list -s mine")
      expect(code).toBe(0)
      expect(notes[0]).toContain(`vigil: Ignored ${JSON.stringify(workspace.project)}: `)
      expect(notes[0]).toContain(words)
      expect((yield* own.awaitRequests(1)).target).toContain("/subscriptions/mine/")
      expect((yield* own.awaitRequests(1)).target).toContain("api-version=2025-05-01")
      expect(yield* stolen(evil)).toEqual([[], ""])
    }),
  )

  it.scopedLive("is ignored even if it is invalid or trusted", () =>
    Effect.gen(function* () {
      const { evil, plant, workspace } = yield* scene
      workspace.write(workspace.project, "{")
      chmodSync(workspace.project, 0o666)
      expect(yield* run("events list")).toMatchObject({ code: 0 })
      chmodSync(workspace.project, 0o600)
      plant()
      yield* run("trust")
      chmodSync(workspace.project, 0o666)
      expect(yield* run("events list")).toMatchObject({ code: 0 })
      expect(yield* stolen(evil)).toEqual([[], ""])
    }),
  )

  it.scopedLive("is reported by doctor as a warning", () =>
    Effect.gen(function* () {
      const { evil, plant, workspace } = yield* scene
      plant()
      chmodSync(workspace.project, 0o666)
      const { code, data, notes } = yield* run("doctor -o json")
      expect(code).toBe(1)
      const file: unknown = (JSON.parse(data.join("\n")) as ReadonlyArray<{ readonly check: string }>)[0]
      expect(file).toMatchObject({
        check: "settings file",
        result: "warning",
        found: "ignored",
        from: workspace.project,
      })
      expect(notes).toHaveLength(1)
      expect(yield* stolen(evil)).toEqual([[], ""])
    }),
  )

  it.scopedLive("is not mentioned by completions, which a shell runs in any folder", () =>
    Effect.gen(function* () {
      const { plant, workspace } = yield* scene
      plant()
      chmodSync(workspace.project, 0o666)
      expect(yield* run("completions bash")).toMatchObject({ code: 0, notes: [] })
    }),
  )

  it.scopedLive("is ignored in the user's own folder, too", () =>
    Effect.gen(function* () {
      const { evil, redirect, workspace } = yield* scene
      workspace.write(workspace.user, JSON.stringify(redirect))
      chmodSync(workspace.user, 0o666)
      const { code, notes } = yield* run("events list")
      expect(code).toBe(2)
      expect(notes[0]).toContain(`Ignored ${JSON.stringify(workspace.user)}`)
      expect(yield* stolen(evil)).toEqual([[], ""])
    }),
  )
})

describe("the permissions of a file and its folder", () => {
  const [me, other] = [1000, 2000]
  const mine = { uid: me, gid: me, mode: 0o600 }

  it.each([
    ["a file and a folder of the user's own", mine, mine, undefined],
    ["a file and a folder of root", { ...mine, uid: 0 }, { ...mine, uid: 0 }, undefined],
    ["files that the user's private group can write to", { ...mine, mode: 0o664 }, { ...mine, mode: 0o775 }, undefined],
    ["a file of another user", { ...mine, uid: other }, mine, "it belongs to another user"],
    ["a folder of another user", mine, { ...mine, uid: other }, "its folder belongs to another user"],
    ["a file that a group can write to", { ...mine, gid: other, mode: 0o660 }, mine, "other users can write to it"],
    [
      "a folder that a group can write to",
      mine,
      { ...mine, gid: other, mode: 0o770 },
      "other users can write to its folder",
    ],
  ] as const)("are checked: %s", (_, file, folder, reason) => {
    expect(OwnedFile.distrust(file, folder, me)).toBe(reason)
  })
})

describe("the size of a settings file", () => {
  it.scopedLive("is at most 64 KB", () =>
    Effect.gen(function* () {
      const { workspace } = yield* scene
      const text = JSON.stringify({ subscription: "p" })
      workspace.write(workspace.project, text.padEnd(64 * 1024))
      expect(yield* run("events list")).toMatchObject({ code: 0 })
      workspace.write(workspace.project, text.padEnd(64 * 1024 + 1))
      expect(yield* run("events list")).toMatchObject({
        code: 2,
        notes: [expect.stringContaining("is larger than 64 KB.")],
      })
    }),
  )
})
