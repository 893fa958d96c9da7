/** Requests of the client and responses of the sandbox, compared with the OpenAPI document of the public service. */
import { describe, expect, it } from "@effect/vitest"
import { Credential, HealthClient, Retry } from "@vigil/health-client"
import { Sandbox } from "@vigil/sandbox"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { afterAll, beforeAll } from "vitest"
import { allowed } from "./contract/allowed.js"
import { type Case, cases } from "./contract/cases.js"
import { check, type Verdict } from "./contract/deviations.js"
import * as recorder from "./contract/recorder.js"

const seeds = [1, 2]
const vendor = "Microsoft"

interface Outcome extends Verdict {
  readonly status: number
}

type Request = readonly [method: string, target: string, body?: object, change?: Partial<recorder.Exchange>]

/** Runs a case, and checks what the client sent and received. The sandbox must have received the same requests. */
const run = (seed: number, { options, run, token }: Case) =>
  Effect.gen(function* () {
    const sandbox = yield* Sandbox.make({ seed, vendor, pageSize: 40, ...options })
    const { exchanges, layer } = recorder.make()
    const client = yield* HealthClient.make({
      baseUrl: sandbox.baseUrl,
      credential: Credential.bearer(token === undefined ? sandbox.accessToken : Redacted.make(token)),
      retry: Retry.none,
      vendor,
    }).pipe(Effect.provide(layer))
    yield* run({ sandbox, client })
    const received = (yield* sandbox.requests).map(({ method, target }) => `${method} ${sandbox.baseUrl}${target}`)
    expect(exchanges.map(({ method, url }) => `${method} ${url}`).toSorted()).toEqual(received.toSorted())
    return exchanges.map((exchange): Outcome => ({ ...check(exchange), status: exchange.status }))
  }).pipe(Effect.scoped)

const outcomes = new Map<string, ReadonlyArray<Outcome>>()

const count = (names: ReadonlyArray<string>): ReadonlyMap<string, number> =>
  names.reduce((counts, name) => counts.set(name, (counts.get(name) ?? 0) + 1), new Map<string, number>())

const all = () => [...outcomes.values()].flat()
const requests = () => count(all().map(({ operation }) => operation?.operationId ?? "none"))
const deviations = () => count(all().flatMap(({ deviations }) => deviations))

const operationsOf = (found: ReadonlyArray<Outcome>) =>
  [...new Set(found.map(({ operation }) => operation?.operationId))].toSorted()

beforeAll(
  () =>
    Effect.runPromise(
      Effect.forEach(seeds, (seed) =>
        Effect.forEach(
          Object.entries(cases).filter(([, { everySeed }]) => seed === 1 || everySeed),
          ([name, each]) =>
            Effect.map(run(seed, each), (found) => outcomes.set(name, [...(outcomes.get(name) ?? []), ...found])),
        ),
      ),
    ),
  // Long enough for a busy machine.
  60_000,
)

afterAll(() => {
  const text = (counts: ReadonlyMap<string, number>) => [...counts].map(([name, n]) => `${name}: ${n}`).join(", ")
  console.log(
    `contract: ${all().length} requests and responses (${text(requests())}); deviations (${text(deviations())})`,
  )
})

describe("the contract of the public service", () => {
  it.each(Object.keys(cases))("has the operations and the responses of %s", (name) => {
    const { operations, statuses = [200] } = cases[name] ?? { operations: [] }
    const found = outcomes.get(name) ?? []
    expect(operationsOf(found)).toEqual(operations.toSorted())
    expect([...new Set(found.map(({ status }) => status))].toSorted()).toEqual(statuses)
    const names = new Set(found.flatMap(({ deviations }) => deviations))
    expect([...names].filter((name) => allowed[name] === undefined)).toEqual([])
  })

  it("was compared with a next page of every list", () => {
    const next = all().filter(({ deviations }) => deviations.includes("undeclared parameter $skipToken"))
    expect(operationsOf(next)).toEqual([
      "Events_ListBySingleResource",
      "Events_ListBySubscriptionId",
      "Events_ListByTenantId",
      "ImpactedResources_ListBySubscriptionIdAndEventId",
      "SecurityAdvisoryImpactedResources_ListBySubscriptionIdAndEventId",
    ])
  })

  it("has only known deviations, and each of them occurs", () => {
    expect([...deviations().keys()].toSorted()).toEqual(Object.keys(allowed).toSorted())
  })
})

describe("the check", () => {
  const events = "/providers/Microsoft.ResourceHealth/events"
  const version = "?api-version=2025-05-01"
  const list = `/subscriptions/s1${events}${version}`
  const advisory = `/subscriptions/s1${events}/E1/listSecurityAdvisoryImpactedResources${version}`
  const page = (properties: object) => ({ value: [{ properties }] })

  /** A request with a valid response, changed by `change`. */
  const exchange = ([method, target, body, change]: Request): recorder.Exchange => ({
    method,
    url: `http://localhost${target}`,
    hasBody: false,
    status: 200,
    mediaType: "application/json",
    text: JSON.stringify(body ?? { value: [] }),
    ...change,
  })

  const rows: ReadonlyArray<readonly [deviations: ReadonlyArray<string>, ...Request]> = [
    [[], "GET", list],
    [[], "GET", `/subscriptions/s1/resourceGroups/g/providers/Microsoft.Web/sites/w${events}${version}`],
    [["undeclared path"], "GET", `/subscriptions/s1/providers/Vendor.ResourceHealth/events${version}`],
    [["undeclared method PUT"], "PUT", list],
    [["next page by GET", "undeclared parameter $skipToken"], "GET", `${advisory}&$skipToken=x`],
    [["missing parameter api-version"], "GET", `/subscriptions/s1${events}`],
    [["repeated parameter api-version"], "GET", `${list}&api-version=2025-05-01`],
    [["undeclared parameter queryStart"], "GET", `${list}&queryStart=1/1/2026`],
    [["undeclared request body"], "POST", advisory, { value: [] }, { hasBody: true }],
    [["wrong type value"], "GET", list, { value: null }],
    [["wrong type properties.faqs.answer"], "GET", list, page({ faqs: [{}, { answer: true }] })],
    [["wrong enum properties.status"], "GET", list, page({ status: "Paused" })],
    [["wrong format properties.duration"], "GET", list, page({ duration: 2 ** 31 })],
    [["date-time without a zone"], "GET", list, page({ lastUpdateTime: "2026-03-10T12:00:00" })],
    [["undeclared field properties.enableVendorSupport"], "GET", list, page({ enableVendorSupport: true })],
    [["nested error", "wrong type code"], "GET", list, { error: { code: 7 } }, { status: 403 }],
    [["response other than JSON"], "GET", list, {}, { text: "<html>" }],
  ]

  const tests = rows.map(([deviations, ...request]) => {
    const [method, target] = request
    return [`${deviations.join(", ") || "no deviation"} in ${method} ${target}`, deviations, request] as const
  })

  it.each(tests)("finds %s", (_, deviations, request) => {
    expect(check(exchange(request)).deviations).toEqual(deviations)
  })
})
