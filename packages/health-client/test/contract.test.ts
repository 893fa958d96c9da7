/** Requests of the client and responses of the sandbox, compared with the OpenAPI document of the public service. */
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import { expect, it } from "@effect/vitest"
import { Connection, Credential, HealthClient, Retry } from "@vigil/health-client"
import { Sandbox } from "@vigil/sandbox"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { type Case, cases } from "./contract/cases.js"
import { check, type Exchange, pageable, recordingFetch } from "@vigil/testing/Contract"

/** The known deviations from the contract, and the reason for each. Any other deviation fails a test. */
const allowed: Readonly<Record<string, string>> = {
  "undeclared  $skipToken":
    "The next link contains it (document, Paging). The contract declares only that the list is pageable.",
  "next page by GET": "Links are followed by GET, also those of lists by POST. The official client does the same.",
  "another api-version":
    "The document has a second version, the public service has later ones, and `ApiVersion.other` sends any.",
  "nested error": "The gateway in front of the service nests its errors (field notes, Errors).",
  "undeclared  location": "Defined by the document in version 2025-05-01.",
  "undeclared properties advisorRecommendations": "Defined by the public document of version 2026-07-01.",
  "null properties.header":
    "The sandbox has null for some absent texts, as services do (field notes, Payload oddities).",
  "null properties.level":
    "The sandbox has null for some absent levels, as services do (field notes, Payload oddities).",
  ...Object.fromEntries(
    ["maintenanceId", "maintenanceType", "argQuery"].map((name) => [
      `undeclared properties ${name}`,
      "Defined by the public document of version 2026-08-01-preview.",
    ]),
  ),
  "date-time without a zone": "Seen in public, as in `0001-01-01T00:00:00` (field notes, Payload oddities).",
  "empty date-time": "Empty texts in place of absent dates were seen in public (field notes, Payload oddities).",
}

/** Runs the calls of a case, and checks each request and response. */
const run = ({ options, run, token }: Case) =>
  Effect.gen(function* () {
    const sandbox = yield* Sandbox.make({ seed: 1, vendor: "Microsoft", pageSize: 40, ...options })
    const exchanges: Array<Exchange> = []
    const connection = yield* Connection.make({
      baseUrl: sandbox.baseUrl,
      credential: Credential.bearer(token === undefined ? sandbox.accessToken : Redacted.make(token)),
      retry: Retry.none,
      vendor: "Microsoft",
    }).pipe(Effect.provide(FetchHttpClient.layer))
    yield* Effect.provideService(
      run({ sandbox, client: HealthClient.make(connection) }),
      FetchHttpClient.Fetch,
      recordingFetch((exchange) => void exchanges.push(exchange)),
    )
    expect(yield* sandbox.requests).toHaveLength(exchanges.length)
    return exchanges.map((exchange) => ({ ...check(exchange), status: exchange.status }))
  }).pipe(Effect.scoped)

const distinct = <A>(values: Iterable<A>) => [...new Set(values)].toSorted()

it.live(
  "each operation has the requests and responses of the contract, but for known deviations, which all occur",
  () =>
    Effect.gen(function* () {
      const outcomes = yield* Effect.forEach(Object.entries(cases), ([name, each]) =>
        Effect.map(run(each), (found) => {
          const unknown = found.flatMap(({ deviations }) => deviations).filter((name) => allowed[name] === undefined)
          const operations = distinct(found.map(({ operation }) => operation))
          const statuses = distinct(found.map(({ status }) => status))
          const expected = [name, each.operations.toSorted(), [each.status ?? 200], []]
          expect([name, operations, statuses, unknown]).toEqual(expected)
          return found
        }),
      )
      const all = outcomes.flat()
      expect(distinct(all.flatMap(({ deviations }) => deviations))).toEqual(Object.keys(allowed).toSorted())
      const next = all.filter(({ deviations }) => deviations.includes("undeclared  $skipToken"))
      const lists = all.map(({ operation }) => operation).filter((operation) => pageable.includes(operation))
      // The contract makes the list of emerging issues pageable, which has one entry, and declares the `$skipToken` of the preview.
      const others = new Set(["EmergingIssues_List", "ServiceGroupHealth_ListEvents"])
      const several = distinct(lists).filter((operation) => !others.has(operation))
      expect(distinct(next.map(({ operation }) => operation))).toEqual(several)
    }),
)

const version = "?api-version=2025-05-01"
const events = "/providers/Microsoft.ResourceHealth/events"
const list = `/subscriptions/s1${events}${version}`
const withProperties = (properties: object) => ({ text: JSON.stringify({ value: [{ properties }] }) })

it.each<readonly [deviations: string, target: string, exchange: Partial<Exchange>]>([
  ["", `/subscriptions/s1/resourceGroups/g/providers/Microsoft.Web/sites/w${events}${version}`, {}],
  ["undeclared GET", `/subscriptions/s1/providers/Vendor.ResourceHealth/events${version}`, {}],
  ["missing  api-version", `/subscriptions/s1${events}`, {}],
  ["undeclared request body", list, { hasBody: true }],
  ["wrong type properties.faqs.answer", list, withProperties({ faqs: [{}, { answer: true }] })],
  ["wrong enum properties.status", list, withProperties({ status: "Paused" })],
  ["wrong format properties.duration", list, withProperties({ duration: 2 ** 31 })],
  ["response other than JSON", list, { text: "<html>" }],
])("the check finds %j", (deviations, target, exchange) => {
  const valid = { method: "GET", url: `http://localhost${target}`, hasBody: false, status: 200 }
  expect(check({ ...valid, mediaType: "application/json", text: `{"value":[]}`, ...exchange }).deviations.join()).toBe(
    deviations,
  )
})
