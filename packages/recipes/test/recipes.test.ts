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

it.scopedLive("effect-app counts active events and apps, by two clients", () =>
  Effect.gen(function* () {
    const { error, log } = yield* prepare
    yield* Effect.promise(() => import("../examples/effect-app.js"))
    expect(log.mock.calls).toEqual([[expect.stringMatching(/^\d+ active events, [1-9]\d* apps$/)]])
    expect(error).not.toHaveBeenCalled()
  }),
)

it.scopedLive("config reads names of its own", () =>
  Effect.gen(function* () {
    const { log, sandbox, subscription } = yield* prepare
    vi.stubEnv("STATUS_URL", sandbox.baseUrl)
    vi.stubEnv("STATUS_TOKEN", Redacted.value(sandbox.accessToken))
    vi.stubEnv("STATUS_SUBSCRIPTION", subscription)
    yield* Effect.promise(() => import("../examples/config.js"))
    expect(log.mock.calls).toEqual([[expect.stringMatching(/^[1-9]\d* events$/)]])
  }),
)

it.scopedLive("config says which option is invalid", () =>
  Effect.gen(function* () {
    const { error, log, sandbox } = yield* prepare
    vi.stubEnv("STATUS_URL", sandbox.baseUrl)
    vi.stubEnv("STATUS_TOKEN", Redacted.value(sandbox.accessToken))
    vi.stubEnv("STATUS_CONCURRENCY", "0")
    vi.resetModules()
    yield* Effect.promise(() => import("../examples/config.js"))
    expect(error.mock.calls).toEqual([[expect.stringContaining("The option concurrency is not a number of 1 or more")]])
    expect(log).not.toHaveBeenCalled()
  }),
)

it.scopedLive("errors says what to do, whatever went wrong", () =>
  Effect.gen(function* () {
    const { error, log } = yield* prepare
    vi.stubEnv("HEALTH_ACCESS_TOKEN", "expired")
    yield* Effect.promise(() => import("../examples/errors.js"))
    expect(error.mock.calls).toEqual([
      [expect.stringMatching(/^sign in again: HealthClient\.listBySubscription: the health service responded 401/)],
    ])
    expect(log).not.toHaveBeenCalled()
  }),
)

it.scopedLive("errors takes a subscription that is not there for one without events", () =>
  Effect.gen(function* () {
    const { log } = yield* prepare
    vi.stubEnv("HEALTH_SUBSCRIPTION", "of-somebody-else")
    vi.resetModules()
    yield* Effect.promise(() => import("../examples/errors.js"))
    expect(log.mock.calls).toEqual([["0 events"]])
  }),
)

it.scopedLive("promises reads all events, the first one, and those of nobody", () =>
  Effect.gen(function* () {
    const { log, sandbox } = yield* prepare
    yield* Effect.promise(() => import("../examples/promises.js"))
    expect(log.mock.calls).toEqual([
      [expect.stringMatching(/^[1-9]\d* events$/)],
      [expect.any(String)],
      ["There is no such subscription."],
    ])
    const asked = yield* sandbox.requests
    const first = asked.filter(({ target }) => !target.includes("$skipToken"))
    expect(first).toHaveLength(3)
  }),
)

it.scopedLive("telemetry sends the spans and the durations of requests to a collector, and no token", () =>
  Effect.gen(function* () {
    const { log } = yield* prepare
    const collector = yield* Faults.serve([Reply.json({})])
    vi.stubEnv("OTEL_EXPORTER_OTLP_ENDPOINT", collector.origin)
    yield* Effect.promise(() => import("../examples/telemetry.js"))
    expect(log.mock.calls).toEqual([[expect.stringMatching(/^[1-9]\d* events$/)]])
    const received = yield* collector.requests
    const sent = (target: string) => received.find((request) => request.target === target)?.body ?? ""
    for (const name of ["nightly-report", "HealthClient.listBySubscription", "GET"])
      expect(sent("/v1/traces")).toContain(`"name":"${name}"`)
    expect(sent("/v1/metrics")).toContain(`"name":"http.client.request.duration"`)
    expect(sent("/v1/metrics")).toContain(`"unit":"s"`)
    expect(yield* collector.bytes).not.toContain("sandbox-access-token")
  }),
)
