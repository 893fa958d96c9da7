/** Every named fault that a single request can meet, over every HTTP layer and through each kind of call; a table of what came of it. */
import { describe, expect, it } from "@effect/vitest"
import type { AppManagement } from "@vigil/appmgmt-client"
import { Faults } from "@vigil/sandbox"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { afterAll } from "vitest"
import { ada, connect, guarded, layers, shop, trustingLayer } from "../harness.js"
import { expected, rows, scripted } from "./expected.js"

/** Where the limit of time is the fault's own, it is short; elsewhere no slow machine should meet it. */
const short = new Set<Faults.Name>(["silent", "silent-in-headers", "silent-in-body"])

const calls = {
  user: (apps: AppManagement.Service) => apps.user,
  removeUser: (apps: AppManagement.Service) => apps.removeUser(shop, ada),
  request: (apps: AppManagement.Service) =>
    apps.request({
      method: "POST",
      path: ["apps"],
      request: Schema.Struct({}),
      body: {},
      response: Schema.Unknown,
    }),
} as const satisfies Readonly<Record<string, (apps: AppManagement.Service) => Effect.Effect<unknown, unknown>>>

const outcomes = new Map<string, Map<string, string>>()

const noted = (fault: string, column: string, outcome: string) => {
  const row = outcomes.get(fault) ?? new Map<string, string>()
  outcomes.set(fault, row.set(column, outcome))
}

const names = Faults.names.filter((name) => rows.has(Faults.byName(name).row))
const kinds = ["user", "removeUser", "request"] as const

describe.each(layers)("over %s", (layerName, layer) => {
  it.scopedLive.each(names.flatMap((name) => kinds.map((kind) => [name, kind] as const)))("%s: %s", ([name, kind]) =>
    Effect.gen(function* () {
      const { foreign, scenario, server } = yield* Faults.start(name)
      const call = Effect.flatMap(
        connect(server.origin, { timeout: short.has(name) ? "200 millis" : "60 seconds" }),
        (apps): Effect.Effect<unknown, { readonly _tag: string; readonly message: string }> => calls[kind](apps),
      )
      // A certificate that nobody trusts is one of the faults.
      const http = scenario.tls && name !== "tls-untrusted" ? trustingLayer(layerName) : layer
      const answer = yield* guarded([server, foreign], Effect.provide(call, http))
      const requests = yield* server.requests
      const [ends, count, says] = expected(name, kind)
      const error = Either.isLeft(answer) ? answer.left : undefined
      noted(`${scenario.row} ${name}`, `${layerName} ${kind}`, `${requests.length} ${error?._tag ?? "done"}`)
      expect([error?._tag ?? "done", requests.length], error?.message).toEqual([ends, count])
      if (says !== undefined) expect(error?.message).toMatch(says)
    }),
  )
})

describe("the table", () => {
  it("has every row that a single request can meet", () => {
    const named = names.map((name) => Faults.byName(name).row)
    expect([...new Set([...named, ...scripted])].toSorted((one, other) => one - other)).toEqual([...rows])
  })

  it("has every fault, over every layer, through each kind of call", () => {
    const cells = [...outcomes.values()].reduce((sum, row) => sum + row.size, 0)
    expect(outcomes.size).toBe(names.length)
    expect(cells).toBe(names.length * layers.length * kinds.length)
  })
})

afterAll(() => {
  const columns = layers.flatMap(([layer]) => kinds.map((kind) => `${layer} ${kind}`))
  const lines = [...outcomes].map(([fault, row]) =>
    [fault.padEnd(30), ...columns.map((column) => (row.get(column) ?? "").padEnd(18))].join(" "),
  )
  console.log([["fault".padEnd(30), ...columns.map((name) => name.padEnd(18))].join(" "), ...lines].join("\n"))
})
