/**
 * Watches two subscriptions of the service at the first argument, with a store in the folder of the second, until it is killed. The handler
 * fails at random. It prints a JSON line for each change, and then succeeds. With a third argument, each watch polls once.
 */
const { writeSync } = await import("node:fs")
const { Connection, Credential, HealthClient, SubscriptionId, Watch, WatchStore } = await import("@vigil/health-client")
const NodeFileSystem = await import("@effect/platform-node/NodeFileSystem")
const FetchHttpClient = await import("effect/http/FetchHttpClient")
const Effect = await import("effect/Effect")
const Layer = await import("effect/Layer")
const Random = await import("effect/Random")
const Schedule = await import("effect/Schedule")

const [baseUrl = "", folder = "", isLast] = process.argv.slice(2)

const watch = (id: string) =>
  Watch.run(
    SubscriptionId.make(id),
    (change) =>
      Effect.gen(function* () {
        yield* Effect.sleep(yield* Random.nextIntBetween(0, 12))
        if ((yield* Random.next) < 0.2) return yield* Effect.fail("busy" as const)
        const { event, _tag: tag } = change
        const title =
          "changes" in change ? change.changes.fields.find(({ path }) => path === "properties.title") : undefined
        const line = {
          watch: id,
          event: event.id,
          tag,
          before: title?.before,
          title: event.properties?.title,
        }
        writeSync(1, `${JSON.stringify(line)}\n`)
        return yield* Effect.sleep(yield* Random.nextIntBetween(0, 4))
      }),
    {
      concurrency: 3,
      retry: Schedule.recurs(100),
      schedule: isLast === undefined ? Schedule.spaced("5 millis") : Schedule.recurs(0),
    },
  )

await Effect.all([watch("s1"), watch("s2")], { concurrency: "unbounded" }).pipe(
  Effect.provide([
    HealthClient.layer.pipe(
      Layer.provide(Connection.layer({ baseUrl, credential: Credential.none })),
      Layer.provide(FetchHttpClient.layer),
    ),
    WatchStore.layerFolder(folder).pipe(Layer.provide(NodeFileSystem.layer)),
  ]),
  Effect.runPromise,
)
