/**
 * Stores the state of a sink. A state that waits for a broken sink can have megabytes, so a second, small entry has what changed since the text of all
 * of it was written.
 */
import * as Effect from "effect/Effect"
import * as Hex from "effect/encoding/Hex"
import type * as KeyValueStore from "effect/persistence/KeyValueStore"
import * as Schema from "effect/Schema"
import { DeliveryStoreError } from "../DeliveryStoreError.js"
import * as sinkState from "./sinkState.js"
import * as sinkText from "./sinkText.js"
import * as sinkState1 from "./sinkState1.js"

/** Where the state of a sink is stored. */
export interface Location {
  readonly store: KeyValueStore.KeyValueStore
  readonly sink: string
}

const prefix = "delivery/"

export const keyOf = (sink: string): string => prefix + sink

/** The sinks that have a state in the store. */
export const sinksIn = (store: KeyValueStore.KeyValueStore) =>
  Effect.map(store.keys, (keys) => keys.filter((key) => key.startsWith(prefix)).map((key) => key.slice(prefix.length)))

/** The key of what changed. It does not start as that of a state. */
const changesKeyOf = (sink: string): string => `delivery-changes/${sink}`

const decode = Schema.decodeEffect(Schema.fromJsonString(Schema.Union([sinkState.Stored, sinkState1.Stored])))
const decodeChanges = Schema.decodeEffect(Schema.fromJsonString(sinkState.Changes))

/** Smaller states are written as a whole, in characters. */
const small = 64_000

/** So large that few states are written as a whole, and so small that the changes are quickly written: for changes of a few thousand characters. */
const maxChanges = (size: number): number => Math.sqrt(size * 8_000)

const failed = (sink: string, operation: DeliveryStoreError["operation"]) =>
  Effect.mapError(
    (cause: KeyValueStore.KeyValueStoreError) =>
      new DeliveryStoreError({ key: keyOf(sink), operation, reason: "unavailable", cause }),
  )

const read = ({ sink, store }: Location) =>
  Effect.gen(function* () {
    const get = (key: string) => failed(sink, "load")(store.get(key))
    const unreadable = () => new DeliveryStoreError({ key: keyOf(sink), operation: "load", reason: "unreadable" })
    const text = yield* get(keyOf(sink))
    if (text === undefined) return { stored: sinkState.none, hasChanges: false }
    const stored = yield* Effect.mapError(decode(text), unreadable)
    if (stored.delivery === 1) return { stored: sinkState1.upgrade(stored), hasChanges: false }
    const changesText = stored.id === undefined ? undefined : yield* get(changesKeyOf(sink))
    if (changesText === undefined) return { stored, hasChanges: false }
    const changes = yield* Effect.mapError(decodeChanges(changesText), unreadable)
    // Others are of an earlier text.
    return { stored: changes.id === stored.id ? sinkState.apply(stored, changes) : stored, hasChanges: true }
  })

/** Loads what is stored. */
export const load = (location: Location): Effect.Effect<typeof sinkState.Stored.Type, DeliveryStoreError> =>
  Effect.map(read(location), ({ stored }) => stored)

/** Loads what is stored, and makes the writer of what follows, which writes one state after the other. */
export const open = (location: Location) =>
  Effect.map(read(location), ({ hasChanges, stored }) => ({ stored, writer: makeWriter(location, hasChanges) }))

const makeWriter = ({ sink, store }: Location, found: boolean) => {
  /** The last state that was written as a whole. */
  let whole: (sinkText.Snapshot & { readonly id: string; readonly size: number }) | undefined
  let hasChanges = found
  const set = (key: string, text: string) => failed(sink, "save")(store.set(key, text))

  const writeWhole = (state: sinkState.State, savedAt: number) =>
    Effect.suspend(() => {
      const id = Hex.random(32)
      const snapshot = sinkText.snapshot(state)
      const text = sinkText.encode(snapshot, { id, savedAt })
      return Effect.map(set(keyOf(sink), text), () => {
        whole = { ...snapshot, id, size: text.length }
      })
    })

  /** Writes all of a state, and nothing beside it. */
  const writeAll = (state: sinkState.State, savedAt: number) =>
    Effect.flatMap(writeWhole(state, savedAt), () =>
      // What is left names an earlier text, so it does no harm.
      hasChanges
        ? Effect.map(Effect.ignore(store.remove(changesKeyOf(sink))), () => void (hasChanges = false))
        : Effect.void,
    )

  return {
    writeAll,
    /** Whether all is in one text. */
    isWhole: () => !hasChanges,
    /** Not interruptible: half a write may leave the text unreadable. `savedAt`: in milliseconds since 1970. */
    write: (state: sinkState.State, savedAt: number): Effect.Effect<void, DeliveryStoreError> =>
      Effect.suspend(() => {
        if (whole === undefined || whole.size < small) return writeAll(state, savedAt)
        const text = sinkText.encodeChanges(state, whole, { id: whole.id, savedAt })
        if (text.length > maxChanges(whole.size)) return writeAll(state, savedAt)
        hasChanges = true
        return set(changesKeyOf(sink), text)
      }).pipe(Effect.uninterruptible),
  }
}
