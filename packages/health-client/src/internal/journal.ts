/** What a running feed has stored, and when it is stored. */
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Hex from "effect/encoding/Hex"
import * as KeyValueStore from "effect/persistence/KeyValueStore"
import * as Result from "effect/Result"
import { WatchStoreError } from "../WatchStore.js"
import * as progress from "./progress.js"
import { guard } from "./tooDeep.js"

/** What is stored of a feed. @category models @since 0.3.0 */
export interface Stored<State, Change> {
  /** What is known of the list. */
  readonly state: State
  /** The changes that may not have been handled, in order. */
  readonly pending: ReadonlyArray<Change>
  /** Names the pending changes, so that the handled ones can be stored apart. */
  readonly id?: string | undefined
}

/** How a feed is stored. @category models @since 0.3.0 */
export interface Codec<State, Change> {
  /** What is known before the first poll. */
  readonly empty: (now: DateTime.Utc) => State
  /** Throws a `RangeError` if an entry is nested thousands of levels deep. */
  readonly encode: (stored: Stored<State, Change>) => string
  /** Fails with `other` for a text of another list, and with `unreadable` if no feed wrote it. Reads the texts of earlier releases. */
  readonly decode: (text: string) => Result.Result<Stored<State, Change>, "other" | "unreadable">
}

/** Decodes a stored text, or returns what is known before the first poll. @category polling @since 0.3.0 */
export const load = <State, Change>(
  { decode, empty }: Pick<Codec<State, Change>, "decode" | "empty">,
  text: string | undefined,
  now: DateTime.Utc,
): Effect.Effect<Stored<State, Change>, WatchStoreError> =>
  text === undefined
    ? Effect.succeed({ state: empty(now), pending: [] })
    : Effect.mapError(Effect.fromResult(decode(text)), (reason) => new WatchStoreError({ operation: "load", reason }))

export interface Journal<State, Change> {
  readonly stored: () => Stored<State, Change>
  /** Stores what is next. */
  readonly advance: (next: Stored<State, Change>) => Effect.Effect<void, WatchStoreError>
  /** Removes a change from the pending ones. */
  readonly handled: (change: Change) => void
  /** Stores twice a second which changes were handled, without end. */
  readonly follow: Effect.Effect<never>
  /** Stores all without the handled changes. */
  readonly save: Effect.Effect<void, WatchStoreError>
}

/** Where a feed is stored, and where earlier releases stored it. */
interface Keys {
  readonly key: string
  readonly earlier?: ReadonlyArray<string> | undefined
}

/** A handled change is stored as handled within a second, also if the store takes some 200 milliseconds. */
const saveInterval = Duration.millis(500)

/** A run waits no longer for a write of what was handled. If the write happens later, a kill at that time repeats more changes. */
const progressTimeout = Duration.seconds(5)

const progressKeyOf = (key: string): string => `${key}/handled`

const failed = (operation: WatchStoreError["operation"]) =>
  Effect.mapError(
    (cause: KeyValueStore.KeyValueStoreError) => new WatchStoreError({ operation, reason: "unavailable", cause }),
  )

/** Whether two hold the same. A decoded one is the same object. */
const isSame = <State, Change>(one: Stored<State, Change> | undefined, other: Stored<State, Change>): boolean =>
  one === other || (one?.state === other.state && one.pending.length + other.pending.length === 0)

/**
 * Loads what is stored, or stores what is known before the first poll.
 *
 * A state can have megabytes, so it is stored twice per poll. While changes are handled, a second, small entry says which: a poll with many
 * changes would otherwise take a time that grows with the square of their number.
 */
export const open = <State, Change>(
  codec: Codec<State, Change>,
  { earlier = [], key }: Keys,
): Effect.Effect<Journal<State, Change>, WatchStoreError, KeyValueStore.KeyValueStore> =>
  Effect.gen(function* () {
    const store = yield* KeyValueStore.KeyValueStore
    const now = yield* DateTime.now
    const progressKey = progressKeyOf(key)
    const get = (key: string) => failed("load")(store.get(key))

    const find = Effect.gen(function* () {
      const text = yield* get(key)
      if (text !== undefined) return { key, loaded: yield* load(codec, text, now) }
      for (const key of earlier) {
        const text = yield* get(key)
        // Another feed may have written it.
        const loaded = text === undefined ? undefined : Result.getOrUndefined(codec.decode(text))
        if (loaded !== undefined) return { key, loaded }
      }
      return undefined
    })
    const found = yield* find
    const handledText = yield* get(progressKeyOf(found?.key ?? key))
    let written = found?.key === key ? found.loaded : undefined
    let stored: Stored<State, Change> = found
      ? progress.without(found.loaded, progress.decode(handledText, found.loaded))
      : yield* load(codec, undefined, now)
    let hasProgress = handledText !== undefined && found?.key === key
    let saved = 0
    const done = new Set<Change>()

    const advance = (next: Stored<State, Change>) =>
      Effect.gen(function* () {
        const named = next.id !== undefined || next.pending.length === 0 ? next : { ...next, id: Hex.random(32) }
        if (!isSame(written, named)) {
          const text = yield* guard(() => codec.encode(named))
          yield* failed("save")(store.set(key, text))
        }
        written = stored = named
        if (!hasProgress) return
        // Names an earlier text, so it does no harm.
        yield* Effect.ignore(store.remove(progressKey))
        hasProgress = false
      })
    // An interrupted write can still happen, after a later one.
    const saveProgress = Effect.uninterruptible(
      Effect.suspend(() => {
        const { size } = done
        if (size === saved) return Effect.void
        hasProgress = true
        // If the store still fails, the save at the end says so.
        return store.set(progressKey, progress.encode(stored, done)).pipe(
          Effect.map(() => {
            saved = size
          }),
          Effect.timeout(progressTimeout),
          Effect.ignore,
        )
      }),
    )
    const save = Effect.gen(function* () {
      // A large state takes some time to store: first the progress, so that a kill during it does not repeat them.
      yield* saveProgress
      // Also if the write fails: the next save repeats it.
      stored = progress.without(stored, done)
      done.clear()
      saved = 0
      yield* advance(stored)
    })

    yield* save
    if (found !== undefined && found.key !== key)
      for (const old of [found.key, progressKeyOf(found.key)]) yield* failed("save")(store.remove(old))
    return {
      stored: () => stored,
      advance,
      handled: (change) => void done.add(change),
      follow: Effect.forever(Effect.delay(saveProgress, saveInterval)),
      save,
    }
  })
