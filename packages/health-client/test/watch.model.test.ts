/** A watch against a model of it: events appear, change, vanish and age; readings fail, shift and are stopped, at any point. */
import { FetchHttpClient } from "@effect/platform"
import { describe, it } from "@effect/vitest"
import { Credential, HealthClient, RetryPolicy, SubscriptionId } from "@vigil/health-client"
import { Sandbox } from "@vigil/sandbox"
import * as Effect from "effect/Effect"
import { type Ground, type History, history, run } from "./watchHistory.js"
import { serve, subscription, watchOf } from "./watched.js"
import { empty, listed, updated } from "./watchWorld.js"

const runs = Number(process.env["PROPERTY_RUNS"] ?? 300)

const options = (numRuns: number) => ({ fastCheck: { numRuns }, timeout: 180_000 + numRuns * 1_000 })

/** A list in memory. */
const inMemory = ({ pageSize }: History) =>
  Effect.map(serve(), ({ list, watch }): Ground => {
    list.pageSize = pageSize
    return {
      subscription,
      watch,
      show: (world) => Effect.sync(() => (list.entries = listed(world))),
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
      retry: RetryPolicy.none,
    })
    const [{ id }] = world.subscriptions
    const ground: Ground = {
      subscription: SubscriptionId.make(id),
      watch: watchOf(client),
      show: (now) => {
        const events = listed(now).map((event) => ({
          event,
          lastUpdate: updated(event),
          subscriptions: [id],
          resources: [],
        }))
        return change((old) => ({ ...old, now: now.now, events }))
      },
      before: (hook) => refuse(hook),
    }
    return ground
  })

describe("a watch of a world that changes at any time, stopped and refused at any point", () => {
  it.scopedLive.prop(
    "tells each change once, and all of them add up to the world at each quiet moment",
    [history(6)],
    ([history]) => Effect.flatMap(inMemory(history), (ground) => run(ground, history)),
    options(Math.ceil(runs / 2)),
  )

  it.scopedLive.prop(
    "does the same with the sandbox's world, over a socket",
    [history(4)],
    ([history]) =>
      Effect.flatMap(inSandbox(history), (ground) => run(ground, history)).pipe(Effect.provide(FetchHttpClient.layer)),
    options(Math.ceil(runs / 10)),
  )
})
