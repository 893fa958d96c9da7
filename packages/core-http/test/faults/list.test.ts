/** A list is read under every fault that has a name, over every HTTP layer; a table of what became of it is printed. */
import { describe, expect, it } from "@effect/vitest"
import { ServiceClient } from "@vigil/core-http"
import { Faults } from "@vigil/sandbox"
import * as Effect from "effect/Effect"
import { afterAll } from "vitest"
import { type ByLayer, expected } from "./expected.js"
import { canary, drain, impatient, layers, list, renewing, trusting, watched } from "./harness.js"
import { printed } from "../fake.js"

/** Where the limit of time is the fault's own, it is short; elsewhere no slow machine should meet it. */
const short = new Set<Faults.Name>(["drip", "silent", "silent-in-headers", "silent-in-body"])

const names = Object.keys(expected) as ReadonlyArray<keyof typeof expected>

const outcomes = new Map<string, Map<string, string>>()

const of = (byLayer: ByLayer, layer: string) =>
  "ends" in byLayer ? byLayer : (Object.entries(byLayer).find(([name]) => name === layer)?.[1] ?? byLayer.fetch)

describe.each(layers)("a list over %s", (layerName, layer) => {
  it.scopedLive.each(names)("%s", (name) =>
    Effect.gen(function* () {
      const { foreign, scenario, server } = yield* Faults.start(name)
      const { credential } = renewing()
      const read = Effect.gen(function* () {
        const service = yield* ServiceClient.make({
          service: "thing",
          baseUrl: server.origin,
          credential,
          retry: impatient,
          timeout: short.has(name) ? "150 millis" : "60 seconds",
        })
        return yield* drain(list(service, service.url("/list", { "api-version": "2025-05-01" })))
      })
      // A certificate that nobody trusts is one of the faults.
      const trusted =
        scenario.tls && name !== "tls-untrusted" ? trusting.find(([own]) => own === layerName)?.[1] : undefined
      const { result, seen } = yield* watched(Effect.provide(read, trusted ?? layer))
      const { delivered, error } = result
      const requests = yield* server.requests
      const { ends, ...wanted } = of(expected[name], layerName)

      const row = outcomes.get(`${scenario.row} ${name}`) ?? new Map<string, string>()
      outcomes.set(`${scenario.row} ${name}`, row.set(layerName, `${delivered.length}, ${error?._tag ?? "end"}`))

      expect(error?._tag ?? "end", error?.message).toBe(ends)
      if (wanted.delivered !== undefined) expect(delivered.join(" ")).toBe(wanted.delivered)
      if (wanted.requests !== undefined) expect(requests).toHaveLength(wanted.requests)
      if (wanted.says !== undefined) expect(error?.message).toMatch(wanted.says)

      // The credential went to the service, and nowhere else.
      for (const { headers } of requests) expect(headers["authorization"]).toMatch(`Bearer ${canary}`)
      expect(yield* foreign.bytes).toBe("")
      expect(printed(error)).not.toContain(canary)
      expect(seen).not.toContain(canary)
    }),
  )
})

afterAll(() => {
  const columns = layers.map(([name]) => name)
  const lines = [...outcomes].map(([fault, row]) =>
    [fault.padEnd(32), ...columns.map((name) => (row.get(name) ?? "").padEnd(20))].join(" "),
  )
  console.log([["fault".padEnd(32), ...columns.map((name) => name.padEnd(20))].join(" "), ...lines].join("\n"))
})
