/** Saves one state after the other in the folder of its argument until it is killed, and prints the number of each saved state. */
const WatchStore = await import("@vigil/health-client/WatchStore")
const NodeFileSystem = await import("@effect/platform-node/NodeFileSystem")
const KeyValueStore = await import("effect/persistence/KeyValueStore")
const Effect = await import("effect/Effect")
const Layer = await import("effect/Layer")

await Effect.gen(function* () {
  const { set } = yield* KeyValueStore.KeyValueStore
  for (let state = 0; ; state += 1) {
    yield* set("state", String(state % 10).repeat(200_000))
    process.stdout.write(`${state} `)
  }
}).pipe(
  Effect.provide(Layer.provide(WatchStore.layerFolder(process.argv[2] ?? ""), NodeFileSystem.layer)),
  Effect.runPromise,
)
