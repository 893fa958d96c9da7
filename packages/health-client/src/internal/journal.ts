/** The state of a running watch, and when it is stored. */
import type { ApiVersion } from "@vigil/health-schema/ApiVersion"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Hex from "effect/encoding/Hex"
import * as KeyValueStore from "effect/persistence/KeyValueStore"
import { Connection } from "../Connection.js"
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

/** Services and filters can be long, so the key has their hash. */
const keyOf = (service: string, { apiVersion, filter, subscription }: states.List<ApiVersion>): string =>
  `watch/${subscription}/${hash(JSON.stringify([service, subscription, apiVersion, filter]))}`

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
): Effect.Effect<Journal<V>, WatchStoreError, Connection | KeyValueStore.KeyValueStore> =>
  Effect.gen(function* () {
    const store = yield* KeyValueStore.KeyValueStore
    const { service, vendor } = yield* Connection
    const key = keyOf(`${service.url("")} ${vendor}`, list)
    const progressKey = `${key}/handled`

    const text = yield* failed("load")(store.get(key))
    const handledText = yield* failed("load")(store.get(progressKey))
    const loaded =
      text === undefined
        ? undefined
        : yield* Effect.mapError(
            Effect.fromResult(stateJson.decode(text, list)),
            (reason) => new WatchStoreError({ operation: "load", reason }),
          )
    let stored = loaded
    let state = loaded
      ? states.handled(loaded, progress.decode(handledText, loaded))
      : states.empty(list, yield* DateTime.now)
    let hasProgress = handledText !== undefined
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
    return {
      state: () => state,
      advance,
      handled: (change) => void done.add(change),
      // The save at the end decides.
      follow: Effect.forever(Effect.delay(Effect.ignore(saveProgress), saveInterval)),
      save,
    }
  })
