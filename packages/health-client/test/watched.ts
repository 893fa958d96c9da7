/** A service with a list that tests can change, its client, and a watch of it. */
import * as TestHttpClient from "@vigil/testing/TestHttpClient"
import { Connection, Credential, HealthClient, Retry, SubscriptionId, Watch } from "@vigil/health-client"
import { ApiVersion, type HealthEvent } from "@vigil/health-schema"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import * as KeyValueStore from "effect/persistence/KeyValueStore"
import * as TestClock from "effect/testing/TestClock"

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

export const a = event("a", now - 2 * hour)
export const b = event("b", now - hour)

const updated = (entry: unknown): number =>
  Date.parse((entry as Partial<HealthEvent.HealthEvent> | null)?.properties?.lastUpdateTime ?? "")

/** The versions of the API, and one that does not exist yet. */
export const versions: ReadonlyArray<ApiVersion.ApiVersion> = [...ApiVersion.all, ApiVersion.other("9999-01-01")]

/**
 * A list of these entries, and its client. `before` runs at each request, and may fail it with a status. `view` returns an entry as a version of
 * the API sends it.
 */
export const serve = (...entries: ReadonlyArray<unknown>) => {
  const before: (request: number) => number | undefined = () => undefined
  const view: (entry: unknown, apiVersion: string) => unknown = (entry) => entry
  const list = { entries, pageSize: 50, before, view, requests: new Array<URL>() }
  const http = TestHttpClient.layer(({ url }) => {
    list.requests.push(url)
    const status = list.before(list.requests.length - 1)
    if (status !== undefined) return { status, json: { code: "Refused", message: "The test refuses it." } }
    const start = Date.parse(`${url.searchParams.get("queryStartTime") ?? ""} UTC`)
    const listed = list.entries.filter((entry) => !(updated(entry) < start))
    const offset = Number(url.searchParams.get("$skipToken") ?? 0)
    const end = offset + list.pageSize
    const next = new URL(url)
    next.searchParams.set("$skipToken", String(end))
    const value = listed.slice(offset, end).map((entry) => list.view(entry, url.searchParams.get("api-version") ?? ""))
    return { json: { value, nextLink: end < listed.length ? next.href : null } }
  })
  return Connection.make({ baseUrl: "https://health.test", credential: Credential.none, retry: Retry.none }).pipe(
    Effect.provide(http),
    Effect.map((connection) => ({ list, client: HealthClient.make(connection) })),
  )
}

/** A store in memory, whose values tests can read. */
export const makeStore = () => {
  const values = new Map<string, string>()
  const store = KeyValueStore.makeStringOnly({
    get: (key) => Effect.sync(() => values.get(key)),
    set: (key, text) => Effect.sync(() => void values.set(key, text)),
    remove: (key) => Effect.sync(() => void values.delete(key)),
    clear: Effect.sync(() => values.clear()),
    size: Effect.sync(() => values.size),
    keys: Effect.sync(() => [...values.keys()]),
  })
  return { store, values }
}

/** A watch of a list of these entries, at `now`. `poll` runs it once, with the stored state. */
export const begin = (...entries: ReadonlyArray<unknown>) =>
  Effect.gen(function* () {
    yield* TestClock.setTime(now)
    const { client, list } = yield* serve(...entries)
    const { store, values } = makeStore()
    const seen: Array<string> = []
    const handler = (change: Watch.Change) => Effect.sync(() => void seen.push(brief(change)))
    const provide = <A, E>(effect: Effect.Effect<A, E, HealthClient.HealthClient | KeyValueStore.KeyValueStore>) =>
      effect.pipe(
        Effect.provideService(HealthClient.HealthClient, client),
        Effect.provideService(KeyValueStore.KeyValueStore, store),
      )
    /** The changes of one poll, as short texts. */
    const poll = Effect.suspend(() => {
      seen.length = 0
      return Effect.map(provide(Watch.run(subscription, handler, { schedule: Schedule.recurs(0) })), () => [...seen])
    })
    return { handler, list, poll, provide, seen, store, values }
  })

/** A change as a short text. */
export const brief = ({ _tag, event: { id, name } }: Watch.Change<ApiVersion.ApiVersion>): string =>
  `${_tag} ${id ?? name}`
