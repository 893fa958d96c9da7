/** A service with a list that tests can change, its client, and stores. */
import * as KeyValueStore from "effect/persistence/KeyValueStore"
import { TestHttpClient } from "@vigil/core-http"
import { Credential, HealthClient, Retry, SubscriptionId, Watch } from "@vigil/health-client"
import type { ApiVersion, HealthEvent } from "@vigil/health-schema"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/testing/TestClock"
import { collect, withClient } from "./collect.js"

/** A failure of the store. */
export const storeError = new KeyValueStore.KeyValueStoreError({ method: "any", message: "Busy: /var/watch" })

export const hour = 60 * 60 * 1000
export const day = 24 * hour
export const now = Date.UTC(2026, 2, 10, 12)
export const subscription = SubscriptionId.make("s1")

/** An event as JSON, with its last update. */
export const event = (id: string, at: number, properties: Readonly<Record<string, unknown>> = {}) => ({
  id,
  name: `name of ${id}`,
  properties: { status: "Active", lastUpdateTime: new Date(at).toISOString(), ...properties },
})

const updated = (entry: unknown): number => {
  const at = Date.parse((entry as Partial<HealthEvent.HealthEvent> | null)?.properties?.lastUpdateTime ?? "")
  return Number.isNaN(at) ? Number.POSITIVE_INFINITY : at
}

/** The entries of the service, and its requests. `before` runs at each request, and may fail it with a status. */
interface List {
  entries: ReadonlyArray<unknown>
  pageSize: number
  before: (request: number) => number | undefined
  requests: Array<URL>
}

const page = (list: List, url: URL): TestHttpClient.TestResponse => {
  list.requests.push(url)
  const status = list.before(list.requests.length - 1)
  if (status !== undefined) return { status, json: { code: "Refused", message: "The test refuses it." } }
  const start = Date.parse(`${url.searchParams.get("queryStartTime") ?? ""} UTC`)
  const listed = list.entries.filter((entry) => Number.isNaN(start) || updated(entry) >= start)
  const offset = Number(url.searchParams.get("$skipToken") ?? 0)
  const end = offset + list.pageSize
  const next = new URL(url)
  next.searchParams.set("$skipToken", String(end))
  return { json: { value: listed.slice(offset, end), ...(end < listed.length ? { nextLink: next.href } : {}) } }
}

/** `Watch.watch` with a client. */
export const watchOf =
  (client: HealthClient.Service) =>
  <V extends ApiVersion.ApiVersion = ApiVersion.Latest, E = never>(
    id: SubscriptionId.SubscriptionId,
    options: Watch.Options<V, E> = {},
  ): Stream.Stream<Watch.Change<V>, Watch.WatchError | E> =>
    Watch.watch(id, options).pipe(withClient(client))

/** A list of these entries, and its client. */
export const serve = (...entries: ReadonlyArray<unknown>) =>
  Effect.gen(function* () {
    const list: List = { entries, pageSize: 50, before: () => undefined, requests: [] }
    const client = yield* HealthClient.make({
      baseUrl: "https://health.test",
      credential: Credential.none,
      retry: Retry.none,
    }).pipe(Effect.provide(TestHttpClient.layer(({ url }) => page(list, url))))
    return { list, client, watch: watchOf(client) }
  })

/** A list of these entries and its client, with the test clock at `now`. */
export const start = (...entries: ReadonlyArray<unknown>) => Effect.andThen(TestClock.setTime(now), serve(...entries))

/** Schedules of one poll, and of several. */
export const once = { schedule: Schedule.recurs(0) }
export const times = (polls: number) => ({ schedule: Schedule.recurs(polls - 1) })

/** A list, a store and a watch. By default, each run is one poll. */
export const begin = (...entries: ReadonlyArray<unknown>) =>
  Effect.gen(function* () {
    const { client, list } = yield* start(...entries)
    const { store, writes } = yield* memory
    const watch = (options: Watch.Options = once) =>
      Watch.watch(subscription, { store, ...options }).pipe(withClient(client))
    /** The changes of one poll, as short texts. */
    const poll = Effect.suspend(() => changesOf(watch()))
    return { list, store, writes, watch, poll }
  })

type AnyChange = Watch.Change<ApiVersion.ApiVersion>

/** A change as a short text. */
export const brief = ({ _tag, event: { id, name } }: AnyChange): string => `${_tag} ${id ?? name}`

/** The changes of a watch, as short texts. */
export const changesOf = <E, R>(stream: Stream.Stream<AnyChange, E, R>) =>
  Effect.map(collect(stream), (all) => all.map((change) => brief(change)))

/** The changes of a watch before its failure, as short texts, and the failure. */
export const failing = <E, R>(stream: Stream.Stream<AnyChange, E, R>) =>
  Effect.gen(function* () {
    const before: Array<string> = []
    const error = yield* Effect.flip(
      Stream.runForEach(stream, (change) => Effect.sync(() => before.push(brief(change)))),
    )
    return { before, error }
  })

/** The default key of a watch. */
export const key = `health-watch/${subscription}`

/** A store in memory, and the texts that were written to it. */
export const memory = Effect.map(
  Effect.provide(KeyValueStore.KeyValueStore, KeyValueStore.layerMemory),
  (inner): { store: KeyValueStore.KeyValueStore; writes: ReadonlyArray<string> } => {
    const writes: Array<string> = []
    const set = (storeKey: string, value: string | Uint8Array): Effect.Effect<void, KeyValueStore.KeyValueStoreError> =>
      Effect.map(inner.set(storeKey, value), () => void writes.push(String(value)))
    return { store: { ...inner, set }, writes }
  },
)
