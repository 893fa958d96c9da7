/** The first example of each client in each runtime, and the recipe of a Worker in workerd. */
import { join } from "node:path"
import { expect, it } from "@effect/vitest"
import { Faults, Reply, Sandbox } from "@vigil/sandbox"
import * as Runtimes from "@vigil/testing/Runtimes"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"

const packages = join(import.meta.dirname, "../../..")
const day = 24 * 60 * 60 * 1000

it.live.each(Runtimes.names)(
  "on %s, the quick start of health-client prints the titles of the last three days",
  (runtime) =>
    Effect.gen(function* () {
      const { accessToken, baseUrl, world } = yield* Sandbox.make()
      const [{ id }] = world.subscriptions
      const titles = world.events
        .filter(({ lastUpdate, subscriptions }) => subscriptions.includes(id) && lastUpdate >= world.now - 3 * day)
        .map(({ event }) => event.properties?.title)
      expect(titles.length).toBeGreaterThan(100)
      const module = join(packages, "health-client/examples/quick-start.ts")
      const env = {
        HEALTH_BASE_URL: baseUrl,
        HEALTH_ACCESS_TOKEN: Redacted.value(accessToken),
        HEALTH_SUBSCRIPTION: id,
      }
      expect(yield* Runtimes.run(runtime, { module, prints: true, env })).toEqual(titles)
    }),
)

it.live.each(Runtimes.names)("on %s, the quick start of appmgmt-client prints the user", (runtime) =>
  Effect.gen(function* () {
    const { apiToken, baseUrl } = yield* Sandbox.make()
    const module = join(packages, "appmgmt-client/examples/quick-start.ts")
    const env = { APPMGMT_BASE_URL: baseUrl, APPMGMT_API_TOKEN: Redacted.value(apiToken) }
    const line = expect.stringMatching(/^The token belongs to \S.* <.+@.+>$/)
    expect(yield* Runtimes.run(runtime, { module, prints: true, env })).toEqual([line])
  }),
)

it.live("a scheduled Worker sends a message for each change since its last call, and keeps its state in KV", () =>
  Effect.gen(function* () {
    const event = (name: string) => ({
      name,
      properties: {
        title: name,
        status: "Active",
        eventType: "ServiceIssue",
        lastUpdateTime: new Date().toISOString(),
      },
    })
    const events = [event("FIRST")]
    const service = yield* Faults.serve(() => Reply.page(events))
    const slack = yield* Faults.serve([Reply.text("ok")])
    const code = yield* Runtimes.bundle(`export { default } from "${join(packages, "recipes/examples/worker.ts")}"`)
    const worker = yield* Runtimes.startWorker(code, {
      kvNamespaces: ["WATCHES"],
      bindings: {
        HEALTH_BASE_URL: service.origin,
        HEALTH_ACCESS_TOKEN: "token",
        HEALTH_SUBSCRIPTION: "s1",
        SLACK_WEBHOOK_URL: `${slack.origin}/services/T0/B0/secret`,
      },
    })
    const call = Effect.promise(async () => (await worker.getWorker()).scheduled({ cron: "*/5 * * * *" }))
    const sent = Effect.map(slack.requests, (requests) => requests.map(({ body }) => body))

    expect((yield* call).outcome).toBe("ok")
    expect(yield* sent).toEqual([])
    events.push(event("SECOND"))
    for (const _ of ["tells it", "does not repeat it"]) {
      expect((yield* call).outcome).toBe("ok")
      expect(yield* sent).toEqual([expect.stringContaining("SECOND")])
    }
    const { keys } = yield* Effect.promise(async () => (await worker.getKVNamespace("WATCHES")).list())
    expect(keys).toMatchObject([{ name: expect.stringMatching(/^watch\/s1\//) }])
  }),
)
