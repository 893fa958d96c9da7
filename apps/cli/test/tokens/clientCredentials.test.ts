/** Tokens by OAuth client credentials: a token endpoint, and the service that accepts its tokens. */
import { describe, expect, it } from "@effect/vitest"
import { Faults, Reply } from "@vigil/sandbox"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { afterEach, vi } from "vitest"
import { run } from "../support/run.js"
import { startWatch } from "../support/watchRun.js"
import { makeWorkspace } from "../support/workspace.js"

afterEach(() => {
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
})

const secret = "canary-51d0 s/e:cret"

const token = "canary-51d0.token"

const tokenReply = (index: number, expiresIn = 3600) =>
  Reply.json({ access_token: `${token}.${index}`, token_type: "Bearer", expires_in: expiresIn })

/** The settings for a token endpoint that replies by a script, without the client's secret. */
const scene = (script: Reply.Script = (_, index) => tokenReply(index)) =>
  Effect.gen(function* () {
    const workspace = yield* makeWorkspace
    const endpoint = yield* Faults.serve(script)
    const service = yield* Faults.serve(() => Reply.page([]))
    vi.stubEnv("HEALTH_BASE_URL", service.origin)
    vi.stubEnv("HEALTH_SUBSCRIPTION", "s")
    vi.stubEnv("HEALTH_TOKEN_URL", `${endpoint.origin}/tenant/token`)
    vi.stubEnv("HEALTH_CLIENT_ID", "reports")
    /** Each once: a list of events has several requests. */
    const sent = Effect.map(service.requests, (all) => [...new Set(all.map(({ headers }) => headers["authorization"]))])
    const form = Effect.map(endpoint.requests, (all) => Object.fromEntries(new URLSearchParams(all.at(-1)?.body ?? "")))
    const file = workspace.tokenFile("health").replace("health.token", "assertion")
    return { workspace, endpoint, service, sent, form, file }
  })

const stubSecret = () => vi.stubEnv("HEALTH_CLIENT_SECRET", secret)

describe("client credentials", () => {
  it.live("get a token with the client secret, for the configured scope", () =>
    Effect.gen(function* () {
      const { endpoint, form, sent, workspace } = yield* scene()
      stubSecret()
      expect(yield* run("events list")).toMatchObject({ code: 0 })
      expect(yield* sent).toEqual([`Bearer ${token}.0`])
      // The default scope is for browser sign-in only.
      expect(yield* form).toEqual({ grant_type: "client_credentials" })
      const [request] = yield* endpoint.requests
      const encoded = btoa("reports:canary-51d0+s%2Fe%3Acret")
      expect(request).toMatchObject({ target: "/tenant/token", headers: { authorization: `Basic ${encoded}` } })
      workspace.write(workspace.user, JSON.stringify({ scope: "https://management.azure.com/.default" }))
      yield* run("events list")
      expect(yield* form).toMatchObject({ scope: "https://management.azure.com/.default" })
    }),
  )

  it.effect("read the assertion file again for each token of a watch", () =>
    Effect.gen(function* () {
      const { endpoint, file, form, sent, workspace } = yield* scene((_, index) => tokenReply(index, 60))
      vi.stubEnv("HEALTH_CLIENT_ASSERTION_FILE", file)
      workspace.write(file, "first.assertion\n")
      const watch = yield* startWatch("--every", "90s")
      yield* watch.idle
      expect(yield* form).toMatchObject({ client_id: "reports", client_assertion: "first.assertion" })
      workspace.write(file, "second.assertion\n")
      yield* watch.pass("90 seconds")
      yield* watch.idle
      expect(yield* form).toMatchObject({ client_assertion: "second.assertion" })
      expect(yield* endpoint.requests).toHaveLength(2)
      expect(yield* sent).toEqual([`Bearer ${token}.0`, `Bearer ${token}.1`])
      yield* watch.stop
    }),
  )

  it.live("override a stored token, and are overridden by the token command and HEALTH_ACCESS_TOKEN", () =>
    Effect.gen(function* () {
      const { sent, service, workspace } = yield* scene()
      workspace.write(workspace.tokenFile("health"), JSON.stringify({ token: "stored", origin: service.origin }))
      const url = process.env["HEALTH_TOKEN_URL"]
      vi.stubEnv("HEALTH_TOKEN_URL", "")
      yield* run("events list")
      vi.stubEnv("HEALTH_TOKEN_URL", url)
      stubSecret()
      yield* run("events list")
      vi.stubEnv("HEALTH_TOKEN_COMMAND", JSON.stringify([process.execPath, "-p", "'command'"]))
      yield* run("events list")
      vi.stubEnv("HEALTH_ACCESS_TOKEN", "static")
      yield* run("events list")
      expect(yield* sent).toEqual(["Bearer stored", `Bearer ${token}.0`, "Bearer command", "Bearer static"])
    }),
  )

  it.live("are shown by auth status", () =>
    Effect.gen(function* () {
      const { endpoint } = yield* scene()
      stubSecret()
      const where = `${endpoint.origin}/tenant/token`
      const status = yield* run("auth status -o json")
      expect(status.code).toBe(0)
      expect(JSON.parse(status.data.join(""))).toMatchObject([
        { result: "ok", from: expect.stringContaining(where), found: expect.stringMatching(/^valid until 20.*Z$/) },
      ])
      expect(JSON.stringify(status)).not.toContain("canary")
    }),
  )
})

describe("a token with a long lifetime", () => {
  it.live("has no expiry", () =>
    Effect.gen(function* () {
      yield* scene(() => tokenReply(0, 2 ** 63))
      stubSecret()
      const status = yield* run("auth status -o json")
      expect(status.code).toBe(0)
      expect(JSON.parse(status.data.join(""))).toMatchObject([{ result: "ok", found: "present" }])
    }),
  )
})

describe("a failed renewal during a watch", () => {
  const watchPolls = (replies: ReadonlyArray<Reply.Reply>) =>
    Effect.gen(function* () {
      const prepared = yield* scene((_, index) => replies[index - 1] ?? tokenReply(index, 60))
      vi.stubEnv("HEALTH_CLIENT_ASSERTION_FILE", prepared.file)
      prepared.workspace.write(prepared.file, "an.assertion")
      const watch = yield* startWatch("--every", "90s")
      expect(yield* watch.note).toContain("Watching")
      yield* watch.idle
      return { ...prepared, watch }
    })

  it.effect("is noted, and retried at the next poll, if it may be temporary", () =>
    Effect.gen(function* () {
      const moved = Reply.redirect(302, "/maintenance")
      const { file, sent, watch, workspace } = yield* watchPolls([Reply.text("<html>"), moved, Reply.empty(501)])
      for (const words of ["JSON", "redirect", "501"]) {
        yield* watch.pass("90 seconds")
        expect(yield* watch.note).toContain(words)
        yield* watch.idle
      }
      workspace.write(file, "")
      yield* watch.pass("90 seconds")
      expect(yield* watch.note).toContain(JSON.stringify(file))
      yield* watch.idle
      workspace.write(file, "an.assertion")
      yield* watch.pass("90 seconds")
      yield* watch.idle
      expect(yield* sent).toEqual([`Bearer ${token}.0`, `Bearer ${token}.4`])
      yield* watch.stop
    }),
  )

  it.effect("ends the watch if the server rejects the client", () =>
    Effect.gen(function* () {
      const { watch } = yield* watchPolls([Reply.json({ error: "invalid_client" }, { status: 401 })])
      yield* watch.pass("90 seconds")
      expect(yield* watch.note).toContain("invalid_client")
      expect(yield* Fiber.join(watch.fiber)).toBe(3)
    }),
  )
})

describe("client credentials that fail", () => {
  it.live("exit with 3 and print one sentence without the secret, even if the endpoint echoes it", () =>
    Effect.gen(function* () {
      const { sent } = yield* scene(({ headers }) =>
        Reply.json(
          { error: "invalid_client", error_description: `No ${secret} ${headers["authorization"]}` },
          { status: 401 },
        ),
      )
      stubSecret()
      const runs = yield* Effect.forEach(["events list", "auth status -o json", "doctor"], (line) => run(line))
      const notes = [expect.stringContaining("401 invalid_client")]
      expect(runs).toMatchObject([
        { code: 3, data: [], notes },
        { code: 1, notes },
        { code: 1, notes },
      ])
      expect(JSON.stringify(runs)).not.toContain("canary")
      // The check of the connection sends no token.
      expect(yield* sent).toEqual([undefined])
    }),
  )

  it.live("name the assertion file", () =>
    Effect.gen(function* () {
      const { endpoint, file, workspace } = yield* scene()
      const cases = [
        [file, undefined, "does not exist"],
        [workspace.folder, undefined, "is not a regular file"],
        [file, " \n", "is empty"],
        [file, `${token}\n${token}`, "does not contain a token on one line"],
        [file, "x".repeat(65_537), "is larger than 64 KB"],
      ] as const
      for (const [path, text, words] of cases) {
        vi.stubEnv("HEALTH_CLIENT_ASSERTION_FILE", path)
        if (text !== undefined) workspace.write(path, text)
        const { code, notes } = yield* run("events list")
        expect({ code, notes }).toEqual({
          code: 3,
          notes: [expect.stringContaining(`HEALTH_CLIENT_ASSERTION_FILE ${words}`)],
        })
        expect(notes[0]).toContain(JSON.stringify(path))
      }
      expect(yield* endpoint.requests).toEqual([])
    }),
  )

  it.live.each([
    [{ HEALTH_CLIENT_ID: "" }, "HEALTH_CLIENT_ID"],
    [{ HEALTH_TOKEN_URL: "" }, "HEALTH_TOKEN_URL"],
    [{ HEALTH_CLIENT_SECRET: "", HEALTH_TOKEN_URL: "", HEALTH_CLIENT_ASSERTION_FILE: "/x" }, "HEALTH_TOKEN_URL"],
    [{ HEALTH_CLIENT_SECRET: "" }, "HEALTH_CLIENT_SECRET or HEALTH_CLIENT_ASSERTION_FILE"],
    [
      { HEALTH_CLIENT_SECRET: "", HEALTH_CLIENT_ASSERTION_FILE: "eyJhbGciOiJub25lIn0.canary.c2ln" },
      "HEALTH_CLIENT_ASSERTION_FILE",
    ],
    [{ HEALTH_CLIENT_ASSERTION_FILE: "/x" }, "HEALTH_CLIENT_SECRET and HEALTH_CLIENT_ASSERTION_FILE"],
    [{ HEALTH_CLIENT_SECRET: "canary\n" }, "HEALTH_CLIENT_SECRET"],
    [{ HEALTH_CLIENT_SECRET: "canary\u00e9" }, "HEALTH_CLIENT_SECRET"],
    [{ HEALTH_CLIENT_SECRET: " canary" }, "HEALTH_CLIENT_SECRET"],
    [{ HEALTH_TOKEN_URL: "http://login.example/token" }, "HEALTH_TOKEN_URL"],
    [{ HEALTH_TOKEN_URL: "https://me:canary@login.example" }, "HEALTH_TOKEN_URL"],
  ] as const)("because of %j are a usage error", ([variables, words]) =>
    Effect.gen(function* () {
      const { endpoint, sent } = yield* scene()
      stubSecret()
      for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value)
      const { code, notes } = yield* run("events list")
      expect({ code, notes }).toEqual({ code: 2, notes: [expect.stringContaining(words)] })
      expect(notes[0]).not.toContain("canary")
      expect(yield* run("doctor")).toMatchObject({ code: 1 })
      // The check of the connection sends no token.
      expect([yield* endpoint.requests, yield* sent]).toEqual([[], [undefined]])
    }),
  )
})

describe("the exit code for an unavailable token endpoint", () => {
  it.live.each([Reply.empty(503), Reply.empty(429), Reply.reset])("is 6", (reply) =>
    Effect.gen(function* () {
      yield* scene(() => reply)
      stubSecret()
      expect(yield* run("events list")).toMatchObject({ code: 6 })
    }),
  )
})

describe("a token that the service rejects", () => {
  it.live("is reported with its token URL", () =>
    Effect.gen(function* () {
      const { endpoint } = yield* scene()
      const service = yield* Faults.serve(() => Reply.empty(401))
      vi.stubEnv("HEALTH_BASE_URL", service.origin)
      stubSecret()
      const { code, notes } = yield* run("events list")
      expect({ code, notes }).toEqual({ code: 3, notes: [expect.stringContaining(`${endpoint.origin}/tenant/token`)] })
    }),
  )
})
