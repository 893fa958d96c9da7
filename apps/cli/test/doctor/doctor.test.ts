import { chmodSync } from "node:fs"
import { describe, expect, it } from "@effect/vitest"
import { Faults, Reply, Sandbox } from "@vigil/sandbox"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { afterEach, vi } from "vitest"
import { run, type Run } from "../support/run.js"
import { makeWorkspace } from "../support/workspace.js"

afterEach(() => {
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
})

const canary = "canary-0b6d-token"

/** A check in the JSON output. */
interface Row {
  readonly check: string
  readonly result: string
  readonly found: string
  readonly from: string | null
  readonly advice: string | null
}

/** The rows of the JSON output, by check. */
const rows = ({ data }: Run): Readonly<Record<string, Row>> =>
  Object.fromEntries((JSON.parse(data.join("\n")) as ReadonlyArray<Row>).map((row) => [row.check, row]))

const results = (ended: Run, service: string) =>
  Object.values(rows(ended))
    .filter(({ check }) => check.startsWith(service))
    .map(({ check, result }) => `${check}: ${result}`)

const examine = (flags = "") => run(`doctor -o json ${flags}`)

/** Starts a service that sends these replies, and sets its base URL, a token and a subscription. */
const serveReplies = (...replies: ReadonlyArray<Reply.Reply>) =>
  Effect.tap(Faults.serve(replies), ({ origin }) =>
    Effect.sync(() => {
      vi.stubEnv("HEALTH_BASE_URL", origin)
      vi.stubEnv("HEALTH_ACCESS_TOKEN", canary)
      vi.stubEnv("HEALTH_SUBSCRIPTION", "s")
    }),
  )

describe("doctor", () => {
  it.live("finds no problems with the sandbox, and exits with 0", () =>
    Effect.gen(function* () {
      const table = yield* run("doctor --sandbox")
      expect(table).toMatchObject({ code: 0, notes: [] })
      expect(table.data[0]).toBe("CHECK\tRESULT\tFOUND\tFROM\tWHAT TO DO")
      const found = yield* examine("--sandbox")
      expect([...results(found, "health"), ...results(found, "apps")]).toEqual([
        "health reachable: ok",
        "health TLS: skipped",
        "health clock: ok",
        "health token: ok",
        expect.stringMatching(/^health access: Production \(a0000001-.+\): ok$/),
        expect.stringMatching(/^health access: Staging \(b0000002-.+\): ok$/),
        "health tenant: ok",
        "health api-version: ok",
        "apps reachable: ok",
        "apps TLS: skipped",
        "apps clock: ok",
        "apps token: ok",
        "apps access: ok",
      ])
      expect(rows(found)["setting healthBaseUrl"]).toMatchObject({ result: "ok", from: "--sandbox" })
      vi.stubEnv("VIGIL_SANDBOX", "1")
      expect(rows(yield* examine())["setting appmgmtBaseUrl"]).toMatchObject({ from: "VIGIL_SANDBOX" })
      expect((yield* run("doctor -o csv")).data[0]).toBe("check,result,found,from,advice")
    }),
  )

  it.live("prints the source of each setting", () =>
    Effect.gen(function* () {
      const workspace = yield* makeWorkspace
      const { baseUrl } = yield* Sandbox.make()
      const settings = { healthVendor: "user", scope: "user", apiVersion: "2025-04-01", subscription: "user" }
      workspace.write(workspace.user, JSON.stringify({ ...settings, subscriptions: { Production: "flag" } }))
      vi.stubEnv("APPMGMT_BASE_URL", baseUrl)
      const found = rows(yield* examine("-s flag --api-version 2025-05-01"))
      const setting = (key: string) => [found[`setting ${key}`]?.found, found[`setting ${key}`]?.from]
      expect(setting("healthBaseUrl")).toEqual(["not set (HEALTH_BASE_URL)", null])
      expect(setting("healthVendor")).toEqual(["user", workspace.user])
      expect(setting("appmgmtBaseUrl")).toEqual([baseUrl, "APPMGMT_BASE_URL"])
      expect(setting("subscriptions")).toEqual(["Production (flag)", "--subscription"])
      expect(setting("apiVersion")).toEqual(["2025-05-01", "--api-version"])
      expect(setting("clientId")).toEqual(["not set (HEALTH_CLIENT_ID)", null])
      expect(setting("scope")).toEqual(["user", workspace.user])
    }),
  )

  it.live("reports invalid settings, and runs every other check", () =>
    Effect.gen(function* () {
      const workspace = yield* makeWorkspace
      const { accessToken, baseUrl, world } = yield* Sandbox.make()
      workspace.write(workspace.user, JSON.stringify({ apiToken: canary }))
      vi.stubEnv("HEALTH_BASE_URL", baseUrl)
      vi.stubEnv("HEALTH_ACCESS_TOKEN", Redacted.value(accessToken))
      const ofFile = yield* examine(`-s ${world.subscriptions[0].id}`)
      expect(ofFile).toMatchObject({ code: 1, notes: [expect.stringMatching(/^vigil: 1 of \d+ checks /)] })
      expect(rows(ofFile)["settings file"]).toMatchObject({
        result: "failed",
        from: workspace.user,
        advice: expect.stringContaining("secret"),
      })
      expect(results(ofFile, "health").slice(-3)).toEqual([
        "health access: ok",
        "health tenant: ok",
        "health api-version: ok",
      ])
      expect(JSON.stringify(ofFile)).not.toContain(canary)
      vi.stubEnv("HEALTH_API_VERSION", "2020-1-1")
      vi.stubEnv("HEALTH_SUBSCRIPTION", "a/b")
      const found = rows(yield* examine())
      expect(found["setting apiVersion"]).toMatchObject({ result: "failed", from: "HEALTH_API_VERSION" })
      expect(found["setting subscriptions"]).toMatchObject({ result: "failed", from: "HEALTH_SUBSCRIPTION" })
      expect(found["health token"]).toMatchObject({ result: "ok" })
    }),
  )

  it.live("fails if no service is configured", () =>
    Effect.gen(function* () {
      yield* makeWorkspace
      const found = yield* examine()
      expect(found).toMatchObject({
        code: 1,
        notes: [expect.stringMatching(/^vigil: 1 of \d+ .*vigil init, set HEALTH_BASE_URL or APPMGMT_BASE_URL/)],
      })
      expect(rows(found)["services"]).toMatchObject({ result: "failed" })
    }),
  )

  it.live("reports an unreachable service, and skips its remaining checks", () =>
    Effect.gen(function* () {
      yield* makeWorkspace
      vi.stubEnv("HEALTH_BASE_URL", "http://127.0.0.1:1")
      vi.stubEnv("HEALTH_ACCESS_TOKEN", canary)
      const found = yield* examine()
      expect(found.code).toBe(1)
      expect(results(found, "health")).toEqual([
        "health reachable: failed",
        "health TLS: skipped",
        "health clock: skipped",
        "health token: ok",
      ])
      expect(rows(found)["health reachable"]?.advice).toContain("ECONNREFUSED")
    }),
  )

  it.live("reports an invalid URL without printing it", () =>
    Effect.gen(function* () {
      yield* makeWorkspace
      vi.stubEnv("HEALTH_BASE_URL", `https://me:${canary}@service.example`)
      vi.stubEnv("APPMGMT_BASE_URL", `https://service.example?token=${canary}`)
      const found = yield* examine()
      expect(found.code).toBe(1)
      expect(rows(found)["health reachable"]).toMatchObject({ result: "failed" })
      expect(JSON.stringify(found)).not.toContain(canary)
    }),
  )

  it.live("reports an untrusted certificate, and sends no token", () =>
    Effect.gen(function* () {
      yield* makeWorkspace
      const { bytes, origin } = yield* Faults.serve([Reply.page([])], { tls: true })
      vi.stubEnv("HEALTH_BASE_URL", origin)
      vi.stubEnv("HEALTH_ACCESS_TOKEN", canary)
      const found = yield* examine()
      expect(found.code).toBe(1)
      expect(rows(found)["health TLS"]).toMatchObject({
        result: "failed",
        found: "failed (DEPTH_ZERO_SELF_SIGNED_CERT)",
        advice: expect.stringContaining("NODE_EXTRA_CA_CERTS"),
      })
      expect(results(found, "health")).toHaveLength(4)
      expect(yield* bytes).not.toContain(canary)
    }),
  )

  it.live.each([
    [-600_000, "warning", "10m ahead of the service"],
    [600_000, "warning", "10m behind the service"],
    [-240_000, "ok", "4m ahead of the service"],
    [0, "ok", "same as the service"],
  ] as const)("compares the local clock with a service clock that differs by %i ms", ([offset, result, words]) =>
    Effect.gen(function* () {
      yield* makeWorkspace
      // The header has whole seconds.
      const now = Math.ceil(Date.now() / 1000) * 1000
      vi.useFakeTimers({ now, toFake: ["Date"] })
      yield* Effect.addFinalizer(() => Effect.sync(() => vi.useRealTimers()))
      yield* serveReplies({
        ...Reply.page([]),
        headers: { "content-type": "application/json", date: new Date(now + offset).toUTCString() },
      })
      const found = yield* examine()
      expect(found.code).toBe(result === "ok" ? 0 : 1)
      expect(rows(found)["health clock"]).toMatchObject({ result, found: words })
    }),
  )

  it.live("reports an error response as failed access or as an unknown API version", () =>
    Effect.gen(function* () {
      yield* makeWorkspace
      const errorReply = (status: number, code: string, message: string) => Reply.json({ code, message }, { status })
      const cases = [
        [errorReply(401, "Unauthorized", "no"), ["failed", "skipped"], "the token is rejected"],
        [errorReply(403, "Forbidden", "no"), ["failed", "skipped"], "permission denied"],
        [errorReply(404, "SubscriptionNotFound", "no"), ["failed", "skipped"], "no"],
        [errorReply(400, "InvalidApiVersionParameter", "no"), ["skipped", "failed"], "unknown"],
        [errorReply(400, "Bad", "The api-version is not supported."), ["skipped", "failed"], "unknown"],
        [errorReply(400, "Bad", "no"), ["failed", "skipped"], "no"],
      ] as const
      for (const [reply, expected, words] of cases) {
        yield* serveReplies(reply)
        const found = yield* examine()
        const { "health access": access, "health api-version": version } = rows(found)
        expect([found.code, access?.result, version?.result, access?.found]).toEqual([1, ...expected, words])
        expect([access, version].find((row) => row?.result === "failed")?.advice).toMatch(/ responded 40\d/)
        expect(JSON.stringify(found)).not.toContain(canary)
      }
    }),
  )

  it.live("says how to leave out a tenant that may not be read, which is no problem", () =>
    Effect.gen(function* () {
      yield* makeWorkspace
      const cases = [
        [403, 200, 0, "skipped"],
        [404, 200, 0, "skipped"],
        [401, 200, 0, "skipped"],
        [401, 401, 1, "skipped"],
        [500, 200, 1, "failed"],
      ] as const
      for (const [tenant, own, code, result] of cases) {
        const { origin } = yield* Faults.serve(({ target }) =>
          Reply.json({ value: [] }, { status: target.startsWith("/subscriptions/") ? own : tenant }),
        )
        vi.stubEnv("HEALTH_BASE_URL", origin)
        vi.stubEnv("HEALTH_ACCESS_TOKEN", canary)
        vi.stubEnv("HEALTH_SUBSCRIPTION", "s")
        const found = yield* examine()
        expect([found.code, rows(found)["health tenant"]?.result]).toEqual([code, result])
        if (code === 0) expect(rows(found)["health tenant"]?.advice).toContain("HEALTH_WITHOUT_TENANT=1")
      }
      vi.stubEnv("HEALTH_WITHOUT_TENANT", "1")
      const left = rows(yield* examine())
      expect(left["health tenant"]).toMatchObject({ result: "skipped", found: "left out" })
      vi.stubEnv("HEALTH_WITHOUT_TENANT", "maybe")
      expect(rows(yield* examine())["setting healthWithoutTenant"]).toMatchObject({ result: "failed" })
    }),
  )

  it.live("says that the vendor may be wrong, as a list does", () =>
    Effect.gen(function* () {
      yield* makeWorkspace
      const { accessToken, baseUrl, world } = yield* Sandbox.make({ vendor: "Microsoft" })
      vi.stubEnv("HEALTH_BASE_URL", baseUrl)
      vi.stubEnv("HEALTH_ACCESS_TOKEN", Redacted.value(accessToken))
      const id = world.subscriptions[0].id
      expect(rows(yield* examine(`-s ${id}`))["health access"]).toMatchObject({
        result: "failed",
        found: "not found, check the vendor",
        advice: expect.stringContaining("HEALTH_VENDOR"),
      })
      const list = `events list -s ${id}`
      expect(yield* run(list)).toMatchObject({ code: 5, notes: [expect.stringContaining("HEALTH_VENDOR")] })
      vi.stubEnv("HEALTH_VENDOR", "Microsoft")
      expect(yield* run(list)).toMatchObject({ code: 0 })
      expect((yield* run("events list -s unknown")).notes.join("")).not.toContain("HEALTH_VENDOR")
    }),
  )

  it.live("skips the access check without a subscription", () =>
    Effect.gen(function* () {
      yield* makeWorkspace
      yield* serveReplies(Reply.page([]))
      vi.stubEnv("HEALTH_SUBSCRIPTION", "")
      const found = yield* examine()
      expect(found.code).toBe(0)
      const skipped = { result: "skipped", advice: expect.stringContaining("HEALTH_SUBSCRIPTION") }
      expect(rows(found)["health access"]).toMatchObject(skipped)
    }),
  )

  it.live("reports a token that is missing, valid, exposed or rejected", () =>
    Effect.gen(function* () {
      const workspace = yield* makeWorkspace
      const { apiToken, baseUrl } = yield* Sandbox.make()
      vi.stubEnv("HEALTH_BASE_URL", baseUrl)
      expect(rows(yield* examine())["health token"]).toMatchObject({ result: "failed", found: "none" })
      const expiresAt = "2099-01-01T00:00:00.000Z"
      const file = workspace.tokenFile("health")
      workspace.write(file, JSON.stringify({ token: canary, origin: baseUrl, expiresAt }))
      const valid = yield* examine()
      const token = { result: "ok", found: `valid until ${expiresAt}`, from: file }
      expect(rows(valid)["health token"]).toMatchObject(token)
      expect(JSON.stringify(valid)).not.toContain(canary)
      chmodSync(file, 0o644)
      expect(rows(yield* examine())["health token"]).toMatchObject({ result: "failed", found: "unusable" })
      vi.stubEnv("APPMGMT_BASE_URL", baseUrl)
      vi.stubEnv("APPMGMT_API_TOKEN", Redacted.value(apiToken))
      expect(rows(yield* examine())["apps access"]).toMatchObject({ found: expect.stringContaining("Ada Operator") })
      vi.stubEnv("APPMGMT_API_TOKEN", canary)
      expect(rows(yield* examine())["apps access"]).toMatchObject({ result: "failed", found: "the token is rejected" })
    }),
  )

  it.live.each([
    ["HEALTH_ACCESS_TOKEN", (jwt: string) => ["HEALTH_ACCESS_TOKEN", jwt]],
    ["the token command node", (jwt: string) => ["HEALTH_TOKEN_COMMAND", JSON.stringify(["node", "-p", `"${jwt}"`])]],
  ] as const)("reads from a JWT of %s when it expires, and for whom it is", ([from, setting]) =>
    Effect.gen(function* () {
      yield* makeWorkspace
      const { origin } = yield* Faults.serve([Reply.page([])])
      vi.stubEnv("HEALTH_BASE_URL", origin)
      const check = Effect.fnUntraced(function* (exp: number) {
        const claims = { exp, aud: "https://management.azure.com", tid: "contoso" }
        const payload = Buffer.from(JSON.stringify(claims)).toString("base64url")
        const [variable = "", value = ""] = setting(`e30.${payload}.${canary}`)
        vi.stubEnv(variable, value)
        const ended = yield* examine()
        expect(JSON.stringify(ended)).not.toContain(canary)
        return rows(ended)["health token"]
      })
      const purpose = "for https://management.azure.com, of the tenant contoso"
      expect(yield* check(4_070_908_800)).toMatchObject({
        result: "ok",
        found: `valid until 2099-01-01T00:00:00.000Z, ${purpose}`,
        from,
      })
      expect(yield* check(946_684_800)).toMatchObject({
        result: "failed",
        found: `expired 2000-01-01T00:00:00.000Z, ${purpose}`,
        advice: expect.stringContaining(`(${from})`),
      })
    }),
  )
})
