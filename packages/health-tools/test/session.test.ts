/** The lists that sessions read at once. */
import { expect, it } from "@effect/vitest"
import * as SubscriptionId from "@vigil/health-client/SubscriptionId"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as Result from "effect/Result"
import * as Session from "../src/internal/Session.js"

it.effect("lists that hang or wait in a session leave permits of every subscription to the others", () =>
  Effect.gen(function* () {
    const find = Session.make(8)
    const read = (id: string, subscription: string, list: Effect.Effect<string>) => {
      const request = new Request("https://example.test", { headers: { "mcp-session-id": id } })
      return Effect.flatMap(find, (session) =>
        Session.attempt({ session, deadline: 25_000 }, SubscriptionId.make(subscription), list),
      ).pipe(Effect.provideService(HttpServerRequest.HttpServerRequest, HttpServerRequest.fromWeb(request)))
    }
    for (const subscription of ["a", "a", "a", "a", "b", "b", "b", "b", "c", "c", "c", "c"])
      yield* Effect.forkChild(read("one", subscription, Effect.never))
    const other = yield* Effect.forkChild(read("two", "c", Effect.succeed("read")))
    yield* Effect.repeat(Effect.yieldNow, { times: 50 })
    expect(other.pollUnsafe()).toEqual(Exit.succeed(Result.succeed("read")))
  }),
)
