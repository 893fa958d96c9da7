import { expect, it } from "@effect/vitest"
import { Faults, Reply, Sandbox } from "@vigil/sandbox"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { afterEach, vi } from "vitest"

afterEach(() => {
  vi.unstubAllEnvs()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

/** Records what is printed. */
const prints = () => ({
  log: vi.spyOn(console, "log").mockImplementation(() => undefined),
  error: vi.spyOn(console, "error").mockImplementation(() => undefined),
})

/** Starts a sandbox, and points the environment of both clients at it. */
const prepare = Effect.gen(function* () {
  const sandbox = yield* Sandbox.make()
  const subscription = sandbox.world.subscriptions[0].id
  vi.stubEnv("HEALTH_BASE_URL", sandbox.baseUrl)
  vi.stubEnv("HEALTH_ACCESS_TOKEN", Redacted.value(sandbox.accessToken))
  vi.stubEnv("HEALTH_SUBSCRIPTION", subscription)
  vi.stubEnv("APPMGMT_BASE_URL", sandbox.baseUrl)
  vi.stubEnv("APPMGMT_API_TOKEN", Redacted.value(sandbox.apiToken))
  return { ...prints(), sandbox, subscription }
})

it.live("effect-app counts active events and apps with two clients", () =>
  Effect.gen(function* () {
    const { error, log } = yield* prepare
    yield* Effect.promise(() => import("../examples/effect-app.js"))
    expect(log.mock.calls).toEqual([[expect.stringMatching(/^\d+ active events, [1-9]\d* apps$/)]])
    expect(error).not.toHaveBeenCalled()
  }),
)

it.live("slack posts a message for each change", () =>
  Effect.gen(function* () {
    const { log } = yield* prepare
    const server = yield* Faults.serve([Reply.text("ok")])
    vi.stubEnv("SLACK_WEBHOOK_URL", `${server.origin}/services/T0/B0/secret`)
    // The watch ends some time after the server: its handler fails.
    void import("../examples/slack.js").catch(() => undefined)
    yield* Effect.promise(() => vi.waitFor(() => expect(log.mock.calls.length).toBeGreaterThan(10), 60_000))
    const requests = yield* server.requests
    for (const [index, { body, target }] of requests.slice(0, 10).entries()) {
      expect(target).toBe("/services/T0/B0/secret")
      expect(log.mock.calls[index]?.[0]).toMatch(/^(opened|resolved)$/)
      expect(JSON.parse(body)).toMatchObject({ text: expect.any(String), blocks: expect.any(Array) })
    }
  }),
)

it.live("config reads variables with custom names", () =>
  Effect.gen(function* () {
    const { log, sandbox, subscription } = yield* prepare
    vi.stubEnv("STATUS_URL", sandbox.baseUrl)
    vi.stubEnv("STATUS_TOKEN", Redacted.value(sandbox.accessToken))
    vi.stubEnv("STATUS_SUBSCRIPTION", subscription)
    yield* Effect.promise(() => import("../examples/config.js"))
    expect(log.mock.calls).toEqual([[expect.stringMatching(/^[1-9]\d* events$/)]])
  }),
)

it.live("config prints which option is invalid", () =>
  Effect.gen(function* () {
    const { error, log, sandbox } = yield* prepare
    vi.stubEnv("STATUS_URL", sandbox.baseUrl)
    vi.stubEnv("STATUS_TOKEN", Redacted.value(sandbox.accessToken))
    vi.stubEnv("STATUS_CONCURRENCY", "0")
    yield* Effect.promise(() => import(/* @vite-ignore */ `../examples/config.js?${crypto.randomUUID()}`))
    expect(error.mock.calls).toEqual([[expect.stringContaining("The option concurrency must be 1 or more")]])
    expect(log).not.toHaveBeenCalled()
  }),
)

it.live("errors prints advice for an invalid token", () =>
  Effect.gen(function* () {
    const { error, log } = yield* prepare
    vi.stubEnv("HEALTH_ACCESS_TOKEN", "expired")
    yield* Effect.promise(() => import("../examples/errors.js"))
    expect(error.mock.calls).toEqual([[expect.stringMatching(/^Sign in again: responded 401/)]])
    expect(log).not.toHaveBeenCalled()
  }),
)

it.live("errors handles an unknown subscription", () =>
  Effect.gen(function* () {
    const { log } = yield* prepare
    vi.stubEnv("HEALTH_SUBSCRIPTION", "unknown-subscription")
    yield* Effect.promise(() => import(/* @vite-ignore */ `../examples/errors.js?${crypto.randomUUID()}`))
    expect(log.mock.calls).toEqual([["The subscription does not exist."]])
  }),
)

it.live("promises prints the count, the first title, and that a subscription does not exist", () =>
  Effect.gen(function* () {
    const { log, sandbox } = yield* prepare
    yield* Effect.promise(() => import("../examples/promises.js"))
    expect(log.mock.calls).toEqual([
      [expect.stringMatching(/^[1-9]\d* events$/)],
      [expect.any(String)],
      ["The subscription does not exist."],
    ])
    const requests = yield* sandbox.requests
    const firstPages = requests.filter(({ target }) => !target.includes("$skipToken"))
    expect(firstPages).toHaveLength(3)
  }),
)

it.live("versions lists two versions, and fails for one that the sandbox does not know", () =>
  Effect.gen(function* () {
    const { log } = yield* prepare
    yield* Effect.promise(() => import("../examples/versions.js"))
    const printed = /^[1-9]\d* events, [1-9]\d* events\. HealthClient\.listBySubscription: .* responded 400/
    expect(log.mock.calls).toEqual([[expect.stringMatching(printed)]])
  }),
)

it.live("http-api reads, changes by merge patch, and polls an export to its end", () =>
  Effect.gen(function* () {
    const { log } = yield* prepare
    const app = (description: string | null) => Reply.json({ name: "shop", description })
    const server = yield* Faults.serve([
      Reply.empty(503),
      app(null),
      app("The shop"),
      { ...Reply.empty(202), headers: { location: "/exports/1" } },
      Reply.json({ status: "running" }),
      Reply.json({ status: "succeeded" }),
    ])
    vi.stubEnv("SERVICE_BASE_URL", `${server.origin}/base`)
    vi.stubEnv("SERVICE_TOKEN", "token")
    yield* Effect.promise(() => import("../examples/http-api.js"))
    expect(log.mock.calls).toEqual([[null, "→", "The shop"], ["The export succeeded."]])
    const requests = yield* server.requests
    const path = "/base/v0.1/apps/contoso/shop"
    expect(requests.map(({ method, target }) => `${method} ${target}`)).toEqual([
      `GET ${path}`,
      `GET ${path}`,
      `PATCH ${path}`,
      `POST ${path}/exports`,
      "GET /exports/1",
      "GET /exports/1",
    ])
    expect(requests[2]).toMatchObject({
      body: `{"description":"The shop"}`,
      headers: { "content-type": "application/merge-patch+json" },
    })
    for (const { headers } of requests) expect(headers["x-api-token"]).toBe("token")
  }),
)

it.live("declared-errors decodes the app, and the 404 that the API declares", () =>
  Effect.gen(function* () {
    const { log, sandbox } = yield* prepare
    vi.stubEnv("SERVICE_BASE_URL", sandbox.baseUrl)
    vi.stubEnv("SERVICE_TOKEN", Redacted.value(sandbox.apiToken))
    yield* Effect.promise(() => import("../examples/declared-errors.js"))
    expect(log.mock.calls).toEqual([["Atlas", "|", expect.stringContaining("ada/missing")]])
  }),
)

it.live("generated-api reads an app, and the error of a missing one", () =>
  Effect.gen(function* () {
    const { log, sandbox } = yield* prepare
    vi.stubEnv("SERVICE_BASE_URL", sandbox.baseUrl)
    vi.stubEnv("SERVICE_TOKEN", Redacted.value(sandbox.apiToken))
    yield* Effect.promise(() => import("../examples/generated-api.js"))
    expect(log.mock.calls).toEqual([["Atlas", "|", expect.stringContaining("ada/missing")]])
  }),
)

it.live("generated-client reads the user, and any status code", () =>
  Effect.gen(function* () {
    const { log } = yield* prepare
    const server = yield* Faults.serve([Reply.json({ display_name: "Ada" }), Reply.empty(404)])
    vi.stubEnv("SERVICE_BASE_URL", server.origin)
    vi.stubEnv("SERVICE_TOKEN", "token")
    for (const _ of ["Ada", "404"])
      yield* Effect.promise(() => import(/* @vite-ignore */ `../examples/generated-client.js?${crypto.randomUUID()}`))
    expect(log.mock.calls).toEqual([["Ada"], ["nobody (404)"]])
  }),
)

it.live("telemetry exports spans and request durations without the token", () =>
  Effect.gen(function* () {
    const { log } = yield* prepare
    const collector = yield* Faults.serve([Reply.json({})])
    vi.stubEnv("OTEL_EXPORTER_OTLP_ENDPOINT", collector.origin)
    yield* Effect.promise(() => import("../examples/telemetry.js"))
    expect(log.mock.calls).toEqual([[expect.stringMatching(/^[1-9]\d* events$/)]])
    const received = yield* collector.requests
    const sent = (target: string) => received.find((request) => request.target === target)?.body ?? ""
    for (const name of ["nightly-report", "HealthClient.listBySubscription", "HealthClient.page", "GET"])
      expect(sent("/v1/traces")).toContain(`"name":"${name}"`)
    expect(sent("/v1/metrics")).toContain(`"name":"http.client.request.duration"`)
    expect(sent("/v1/metrics")).toContain(`"unit":"s"`)
    expect(yield* collector.bytes).not.toContain("sandbox-access-token")
  }),
)
