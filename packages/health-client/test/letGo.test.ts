import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import * as HttpClient from "@effect/platform/HttpClient"
import * as HttpClientResponse from "@effect/platform/HttpClientResponse"
import { expect, it } from "@effect/vitest"
import { Credential } from "@vigil/core-http"
import { HealthClient, SubscriptionId } from "@vigil/health-client"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"

setFlagsFromString("--expose-gc")
const collectGarbage = runInNewContext("gc")

/** A service of five pages of one event; before each, it looks whether anything holds the event that was `seen` last. */
const service = () => {
  let last: WeakRef<object> | undefined
  const held: Array<boolean> = []
  const client = HttpClient.make((request, url) =>
    Effect.promise(async () => {
      // What a weak reference was asked for, or made of, is held until the next turn of the event loop.
      await new Promise((resolve) => setImmediate(resolve))
      collectGarbage()
      held.push(last?.deref() !== undefined)
      const page = Number(url.searchParams.get("page") ?? "1")
      const body = { value: [{ id: String(page) }], nextLink: page < 5 ? `?page=${page + 1}` : null }
      return HttpClientResponse.fromWeb(request, Response.json(body))
    }),
  )
  const seen = (event: object) =>
    Effect.sync(() => {
      last = new WeakRef(event)
    })
  return { client, held, seen }
}

const id = SubscriptionId.make("s1")

it.scopedLive.each([
  ["event by event", (client: HealthClient.Service) => client.listBySubscription(id)],
  [
    "page by page",
    (client: HealthClient.Service) => Stream.mapConcat(client.pagesBySubscription(id), ({ items }) => items),
  ],
] as const)("nothing holds the events of a page while the next one is on its way: %s", ([, list]) =>
  Effect.gen(function* () {
    const { client, held, seen } = service()
    const health = yield* Effect.provideService(
      HealthClient.make({ baseUrl: "http://localhost", credential: Credential.none }),
      HttpClient.HttpClient,
      client,
    )
    yield* Stream.runForEach(list(health), seen)
    expect(held).toEqual([false, false, false, false, false])
  }),
)
