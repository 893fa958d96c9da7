/** A watch compared with a model. Events appear, change, disappear and age. Polls fail, shift and are stopped at any point. */
import { FetchHttpClient } from "effect/http"
import { describe } from "@effect/vitest"
import { Credential, HealthClient, Retry, SubscriptionId } from "@vigil/health-client"
import { Sandbox } from "@vigil/sandbox"
import * as property from "@vigil/testing/property"
import * as Effect from "effect/Effect"
import { type History, history, run, type WatchedService } from "./watchHistory.js"
import { serve, subscription } from "./watched.js"
import { empty, listEvents, updatedAt } from "./watchWorld.js"

const runs = Number(process.env["PROPERTY_RUNS"] ?? 300)

const options = (numRuns: number) => ({ fastCheck: { numRuns }, timeout: 180_000 + numRuns * 1_000 })

/** A list in memory. */
const inMemory = ({ pageSize }: History) =>
  Effect.map(serve(), ({ client, list }): WatchedService => {
    list.pageSize = pageSize
    return {
      subscription,
      client,
      show: (world) => Effect.sync(() => (list.entries = listEvents(world))),
      before: (hook) => Effect.sync(() => (list.before = () => Effect.runSync(hook()))),
    }
  })

/** A subscription of the sandbox, over a socket. */
const inSandbox = ({ pageSize }: History) =>
  Effect.gen(function* () {
    const { accessToken, baseUrl, change, refuse, world } = yield* Sandbox.make({ now: empty.now, pageSize })
    const client = yield* HealthClient.make({
      baseUrl,
      credential: Credential.bearer(accessToken),
      retry: Retry.none,
    })
    const [{ id }] = world.subscriptions
    const service: WatchedService = {
      subscription: SubscriptionId.make(id),
      client,
      show: (now) => {
        const events = listEvents(now).map((event) => ({
          event,
          lastUpdate: updatedAt(event),
          subscriptions: [id],
          resources: [],
        }))
        return change((old) => ({ ...old, now: now.now, events }))
      },
      before: (hook) => refuse(hook),
    }
    return service
  })

describe("a watch of events that change at any time, with failures and stops at any point", () => {
  property.live(
    "handles each change at least once, in the order of its event, and stores none before",
    [history(6)],
    ([history]) => Effect.flatMap(inMemory(history), (service) => run(service, history)),
    options(Math.ceil(runs / 2)),
  )

  property.live(
    "does the same for a subscription of the sandbox, over a socket",
    [history(4)],
    ([history]) =>
      Effect.flatMap(inSandbox(history), (service) => run(service, history)).pipe(
        Effect.provide(FetchHttpClient.layer),
      ),
    options(Math.ceil(runs / 10)),
  )
})
