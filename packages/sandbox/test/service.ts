/** Sends requests to a running sandbox. */
import { Sandbox, type World } from "@vigil/sandbox"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { ask } from "./client.js"

export const now = Date.UTC(2026, 0, 15, 12)

/** An event of a response, with the fields that the tests read. */
export interface Event {
  readonly id: string
  readonly name: string
  readonly systemData?: object
  readonly properties: Readonly<Record<string, unknown>>
}

interface Page {
  readonly value: ReadonlyArray<Event>
  readonly nextLink?: string
}

/** A sandbox with the same time in every test. */
export const start = (options: Sandbox.Options = {}) =>
  Effect.map(Sandbox.make({ now, ...options }), (sandbox) => {
    const { accessToken, baseUrl, world } = sandbox
    const [{ id: first }, { id: second }] = world.subscriptions
    const authorization = `Bearer ${Redacted.value(accessToken)}`
    const provider = (path: string, rest: string, vendor = world.vendor) =>
      `${baseUrl}${path}/providers/${vendor}.ResourceHealth${rest}`
    const url = (path: string, query = "", vendor?: string) => provider(path, `/events${query}`, vendor)
    const list = (query = "", id = first) => url(`/subscriptions/${id}`, `?api-version=2025-05-01${query}`)
    const get = (address: string, init: RequestInit = {}) => ask(address, { headers: { authorization }, ...init })
    const json = (address: string, init: RequestInit = {}) =>
      Effect.map(get(address, init), ({ body, status }) => ({ status, body: JSON.parse(body) as unknown }))
    const page = (address: string) =>
      Effect.flatMap(json(address), ({ body, status }) =>
        status === 200 ? Effect.succeed(body as Page) : Effect.die(`no page at ${address}`),
      )
    const events = (address: string): Effect.Effect<ReadonlyArray<Event>, Error> =>
      Effect.flatMap(Effect.orDie(page(address)), ({ nextLink, value }) =>
        nextLink === undefined ? Effect.succeed(value) : Effect.map(events(nextLink), (rest) => [...value, ...rest]),
      )
    return { ...sandbox, authorization, first, second, provider, url, list, get, json, page, events }
  })

/** The names of events. */
export const names = (events: ReadonlyArray<{ readonly name?: string | null | undefined }>) =>
  events.map(({ name }) => name)

/** An event of the first subscription, in addition to those of the seed. */
export const news = ({ subscriptions: [{ id }] }: World.World, name = "NEW1-NEW"): World.WorldEvent => ({
  event: {
    id: `/providers/Vendor.ResourceHealth/events/${name}`,
    name,
    properties: { eventType: "ServiceIssue", title: "New", status: "Active" },
  },
  lastUpdate: now,
  subscriptions: [id],
  resources: [],
})
