/** Each kind of call under every named fault that applies to a single request. Prints a table of the outcomes. */
import { describe, expect, it } from "@effect/vitest"
import type { AppManagement } from "@vigil/appmgmt-client"
import { Faults } from "@vigil/sandbox"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as FaultRuns from "@vigil/testing/FaultRuns"
import * as HttpStack from "@vigil/testing/HttpStack"
import { ada, connect, guarded, shop } from "../harness.js"
import { expected, rows, scripted } from "./expected.js"

const calls = {
  user: (apps: AppManagement.Service) => apps.user,
  removeUser: (apps: AppManagement.Service) => apps.removeUser(shop, ada),
  request: (apps: AppManagement.Service) =>
    apps.request({ operation: "Custom", method: "POST", url: "/v0.1/apps", body: {}, decode: Effect.succeed }),
} as const satisfies Readonly<Record<string, (apps: AppManagement.Service) => Effect.Effect<unknown, unknown>>>

const names = Faults.names.filter((name) => rows.has(Faults.byName(name).row))
const kinds = ["user", "removeUser", "request"] as const

/** core-http tests that a POST is sent once over every stack. */
const kindsOf = (stack: HttpStack.Name) => kinds.filter((kind) => kind !== "request" || stack === HttpStack.one)

const table = FaultRuns.table(HttpStack.names.flatMap((stack) => kindsOf(stack).map((kind) => `${stack} ${kind}`)))

const runs = FaultRuns.over(names).flatMap(([name, stack]) =>
  kindsOf(stack).map((kind) => [name, stack, kind] as const),
)

FaultRuns.each(runs, "%s over %s: %s", ([name, stack, kind]) =>
  Effect.gen(function* () {
    const { foreign, scenario, server } = yield* Faults.start(name)
    const call = Effect.flatMap(
      connect(server.origin, { timeout: FaultRuns.timeoutOf(name) }),
      (apps): Effect.Effect<unknown, { readonly _tag: string; readonly message: string }> => calls[kind](apps),
    )
    const result = yield* guarded([server, foreign], Effect.provide(call, HttpStack.forFault(stack, scenario)))
    const requests = yield* server.requests
    const [outcome, count, message] = expected(name, kind)
    const error = Result.isFailure(result) ? result.failure : undefined
    table.add(name, `${stack} ${kind}`, `${requests.length} ${error?._tag ?? "done"}`)
    expect([error?._tag ?? "done", requests.length], error?.message).toEqual([outcome, count])
    if (message !== undefined) expect(error?.message).toMatch(message)
  }),
)

describe("the named faults", () => {
  it("cover every row that applies to a single request", () => {
    const named = names.map((name) => Faults.byName(name).row)
    expect([...new Set([...named, ...scripted])].toSorted((one, other) => one - other)).toEqual([...rows])
    expect(table.outcomes.size).toBe(names.length)
  })
})
