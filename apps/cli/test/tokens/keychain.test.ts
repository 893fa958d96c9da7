/** The keychain of the operating system, replaced by one in memory. */
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { afterEach, beforeEach, vi } from "vitest"
import { run } from "../support/run.js"
import { makeWorkspace } from "../support/workspace.js"

const chain = vi.hoisted(() => ({
  stored: new Map<string, string>(),
  fails: new Set<string>(),
  accessedKeys: new Set<string>(),
}))

vi.mock("@napi-rs/keyring", () => ({
  AsyncEntry: class {
    readonly key: string
    constructor(service: string, account: string, options: unknown) {
      if (chain.fails.has("open")) throw new Error("no keychain")
      this.key = `${service} ${account} ${JSON.stringify(options)}`
      chain.accessedKeys.add(this.key)
    }
    async setPassword(text: string) {
      if (chain.fails.has("write")) throw new Error(`locked: ${text}`)
      chain.stored.set(this.key, text)
    }
    async getPassword() {
      if (chain.fails.has("read")) throw new Error("locked")
      return chain.stored.get(this.key) ?? null
    }
    async deletePassword() {
      return chain.stored.delete(this.key)
    }
  },
}))

beforeEach(() => {
  for (const collection of Object.values(chain)) collection.clear()
})

afterEach(() => {
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
})

const canary = "canary-91d3-token"

const makeKeychainWorkspace = Effect.tap(makeWorkspace, () =>
  Effect.sync(() => {
    vi.stubEnv("VIGIL_NO_KEYCHAIN", "")
    vi.stubEnv("HEALTH_BASE_URL", "https://service.example")
  }),
)

const login = run("auth login --token-stdin", { input: [canary] })

describe("with a keychain, vigil", () => {
  it.live("stores the token there, and in no file, until logout", () =>
    Effect.gen(function* () {
      const workspace = yield* makeKeychainWorkspace
      expect(yield* login).toMatchObject({ code: 0, notes: [expect.stringContaining("keychain")] })
      expect(workspace.files()).toEqual([])
      expect([...chain.stored]).toEqual([
        [
          `vigil health {"linux":{"store":"secret-service"}}`,
          JSON.stringify({ token: canary, origin: "https://service.example" }),
        ],
      ])
      const { code, data } = yield* run("auth status -o json")
      expect(code).toBe(0)
      expect(JSON.parse(data.join(""))).toMatchObject([{ result: "ok", from: "the keychain of the operating system" }])
      const { notes } = yield* run("auth logout --service health")
      expect(notes).toEqual([expect.stringContaining("keychain")])
      expect(chain.stored.size).toBe(0)
    }),
  )

  it.live("ignores entries of other programs", () =>
    Effect.gen(function* () {
      yield* makeKeychainWorkspace
      chain.stored.set(`vigil health {"linux":{"store":"secret-service"}}`, canary)
      const { code, data, notes } = yield* run("auth status")
      expect(code).toBe(1)
      expect(JSON.stringify([data, notes])).not.toContain(canary)
    }),
  )

  it.live("does not access it if VIGIL_NO_KEYCHAIN is 1", () =>
    Effect.gen(function* () {
      const workspace = yield* makeKeychainWorkspace
      vi.stubEnv("VIGIL_NO_KEYCHAIN", "1")
      yield* login
      expect(workspace.files()).toHaveLength(1)
      expect(chain.accessedKeys.size).toBe(0)
      vi.stubEnv("VIGIL_NO_KEYCHAIN", "maybe")
      expect(yield* run("auth logout")).toMatchObject({
        code: 2,
        notes: [expect.stringContaining("VIGIL_NO_KEYCHAIN")],
      })
    }),
  )
})

describe("a keychain that fails", () => {
  it.live.each([["open"], ["write"]] as const)(
    "to %s is replaced by the token file, which other commands read",
    ([part]) =>
      Effect.gen(function* () {
        const workspace = yield* makeKeychainWorkspace
        chain.fails.add(part)
        const { code, notes } = yield* login
        expect({ code, notes }).toEqual({
          code: 0,
          notes: [expect.stringContaining("No keychain"), expect.stringContaining("health.token")],
        })
        expect(JSON.stringify(notes)).not.toContain(canary)
        expect(workspace.files()).toHaveLength(1)
        chain.fails.add("read")
        expect(yield* run("auth status")).toMatchObject({ code: 0 })
      }),
  )
})
