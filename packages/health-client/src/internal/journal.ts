/** The state of a running watch, and when it is stored. */
import { all, type ApiVersion } from "@vigil/health-schema/ApiVersion"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Hex from "effect/encoding/Hex"
import * as KeyValueStore from "effect/persistence/KeyValueStore"
import * as Predicate from "effect/Predicate"
import { HealthClient } from "../HealthClient.js"
import { WatchStoreError } from "../WatchStore.js"
import type { Change } from "./change.js"
import * as progress from "./progress.js"
import * as states from "./state.js"
import * as stateJson from "./stateJson.js"
import { guard } from "./tooDeep.js"

export interface Journal<V extends ApiVersion> {
  readonly state: () => states.Data<V>
  /** Stores the next state, which then is the state. */
  readonly advance: (next: states.Data<V>) => Effect.Effect<void, WatchStoreError>
  /** Removes a change from the pending ones. */
  readonly handled: (change: Change<V>) => void
  /** Stores each second which changes were handled, without end. */
  readonly follow: Effect.Effect<never>
  /** Stores the state without the handled changes. */
  readonly save: Effect.Effect<void, WatchStoreError>
}

/** How long a handled change may stay pending in the store. */
const saveInterval = Duration.seconds(1)

/** FNV-1a with 64 bits, as hexadecimal digits. */
const hash = (text: string): string => {
  let value = 0xcbf29ce484222325n
  for (const byte of new TextEncoder().encode(text)) value = BigInt.asUintN(64, (value ^ BigInt(byte)) * 0x100000001b3n)
  return value.toString(16).padStart(16, "0")
}

/** The keys of a state: the key, and those that release 0.2 used, which had the version: first that of the list, then the newest. */
const keysOf = (service: string, { apiVersion, filter, subscription }: states.List<ApiVersion>) => {
  // Services and filters can be long, so a key has their hash.
  const keyOf = (...list: ReadonlyArray<string>) => `watch/${subscription}/${hash(JSON.stringify(list))}`
  return {
    key: keyOf(service, subscription, filter),
    earlier: [...new Set([apiVersion, ...all])].map((version) => keyOf(service, subscription, version, filter)),
  }
}

const progressKeyOf = (key: string): string => `${key}/handled`

const failed = (operation: WatchStoreError["operation"]) =>
  Effect.mapError(
    (cause: KeyValueStore.KeyValueStoreError) => new WatchStoreError({ operation, reason: "unavailable", cause }),
  )

/**
 * Loads the stored state, or stores the one before the first poll.
 *
 * A state can have megabytes, so it is stored twice per poll. While changes are handled, a second, small entry says which: a poll with many
 * changes would otherwise take a time that grows with the square of their number.
 */
export const open = <V extends ApiVersion>(
  list: states.List<V>,
): Effect.Effect<Journal<V>, WatchStoreError, HealthClient | KeyValueStore.KeyValueStore> =>
  Effect.gen(function* () {
    const store = yield* KeyValueStore.KeyValueStore
    const { connection } = yield* HealthClient
    // `Layer.mock` puts an effect in place of what a mock lacks.
    const isConnected = Predicate.hasProperty(connection, "service")
    const service = isConnected ? `${connection.service.url("")} ${connection.vendor}` : ""
    const { earlier, key } = keysOf(service, list)
    const progressKey = progressKeyOf(key)
    const get = (key: string) => failed("load")(store.get(key))

    let found = { key, text: yield* get(key) }
    for (const key of earlier) {
      if (found.text !== undefined) break
      const text = yield* get(key)
      if (text !== undefined) found = { key, text }
    }
    const { text } = found
    const handledText = yield* get(progressKeyOf(found.key))
    const loaded =
      text === undefined
        ? undefined
        : yield* Effect.mapError(
            Effect.fromResult(stateJson.decode(text, list)),
            (reason) => new WatchStoreError({ operation: "load", reason }),
          )
    let stored = found.key === key ? loaded : undefined
    let state = loaded
      ? states.handled(loaded, progress.decode(handledText, loaded))
      : states.empty(list, yield* DateTime.now)
    let hasProgress = handledText !== undefined && found.key === key
    let saved = 0
    const done = new Set<Change<V>>()

    const advance = (next: states.Data<V>) =>
      Effect.gen(function* () {
        const named = next.id !== undefined || next.pending.length === 0 ? next : { ...next, id: Hex.random(32) }
        if (named !== stored) {
          const text = yield* guard(() => stateJson.encode(named))
          yield* failed("save")(store.set(key, text))
        }
        stored = state = named
        if (!hasProgress) return
        // Names an earlier state, so it does no harm.
        yield* Effect.ignore(store.remove(progressKey))
        hasProgress = false
      })
    const save = Effect.suspend(() => {
      // Also if the write fails: the next save repeats it.
      state = states.handled(state, done)
      done.clear()
      saved = 0
      return advance(state)
    })
    const saveProgress = Effect.suspend(() => {
      const { size } = done
      if (size === saved) return Effect.void
      hasProgress = true
      return Effect.map(store.set(progressKey, progress.encode(state, done)), () => {
        saved = size
      })
    })

    yield* save
    if (found.key !== key)
      for (const old of [found.key, progressKeyOf(found.key)]) yield* failed("save")(store.remove(old))
    return {
      state: () => state,
      advance,
      handled: (change) => void done.add(change),
      // The save at the end decides.
      follow: Effect.forever(Effect.delay(Effect.ignore(saveProgress), saveInterval)),
      save,
    }
  })
