import { describe, expect, it } from "@effect/vitest"
import { Sandbox } from "@vigil/sandbox"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"

interface ApiResponse {
  readonly status: number
  readonly body: unknown
}

/** A page, with the fields that these tests read. */
interface Page {
  readonly value: ReadonlyArray<{
    readonly name: string
    readonly location?: string
    readonly systemData?: object
    readonly properties: Readonly<Record<string, unknown>>
  }>
  readonly nextLink?: string
}

const fetchJson = (url: string, headers: Record<string, string> = {}): Effect.Effect<ApiResponse> =>
  Effect.promise(async () => {
    const response = await fetch(url, { headers })
    return { status: response.status, body: await response.json() }
  })

/** A sandbox, and a function to send requests to it. */
const start = (options: Sandbox.Options = {}) =>
  Effect.map(Sandbox.make({ now: Date.UTC(2026, 0, 15, 12), ...options }), (sandbox) => {
    const authorization = `Bearer ${Redacted.value(sandbox.accessToken)}`
    const [subscription] = sandbox.world.subscriptions
    const list = (query = "", scope = `/subscriptions/${subscription.id}`) =>
      `${sandbox.baseUrl}${scope}/providers/${sandbox.world.vendor}.ResourceHealth/events?api-version=2025-05-01${query}`
    const ask = (url: string) => fetchJson(url, { authorization })
    const pages = (url: string): Effect.Effect<ReadonlyArray<Page>> =>
      Effect.flatMap(ask(url), ({ body }) => {
        const page = body as Page
        return page.nextLink === undefined
          ? Effect.succeed([page])
          : Effect.map(pages(page.nextLink), (rest) => [page, ...rest])
      })
    return { ...sandbox, subscription, list, ask, pages }
  })

const names = (pages: ReadonlyArray<Page>) => pages.flatMap(({ value }) => value.map(({ name }) => name))

describe("listing a subscription", () => {
  it.scopedLive("returns the events of three days in linked pages of 50", () =>
    Effect.gen(function* () {
      const { list, pages, subscription, world } = yield* start()
      const all = yield* pages(list())
      const recent = world.events.filter(
        (event) => event.subscriptions.includes(subscription.id) && event.lastUpdate >= world.now - 259_200_000,
      )
      expect(names(all)).toEqual(recent.map(({ event }) => event.name))
      expect(all.slice(0, -1).every(({ value }) => value.length === 50)).toBe(true)
      expect(all.length).toBeGreaterThan(2)
      expect(all[0]?.nextLink).toContain(`${list()}&$skipToken=`)
      expect(all[1]?.nextLink?.match(/skipToken/g)).toHaveLength(1)
    }),
  )

  it.scopedLive("continues at a token anywhere in the query, with any encoding", () =>
    Effect.gen(function* () {
      const { list, pages } = yield* start()
      const [first, ...rest] = yield* pages(list())
      const [, token] = /skipToken=(.*)$/.exec(first?.nextLink ?? "") ?? []
      const expected = names(rest)
      const path = list().replace(/\?.*/, "")
      for (const query of [
        `?$skipToken=${token}&api-version=2025-05-01`,
        `?api-version=2025-05-01&%24skipToken=${token}`,
      ])
        expect(names(yield* pages(path + query))).toEqual(expected)
    }),
  )

  it.scopedLive.each(["11/15/2025", "11%2F15%2F2025", "2025-11-15T00:00:00Z"])(
    "returns all events since queryStartTime %s",
    (time) =>
      Effect.gen(function* () {
        const { list, pages, subscription, world } = yield* start()
        const all = yield* pages(list(`&queryStartTime=${time}`))
        expect(names(all)).toHaveLength(
          world.events.filter((event) => event.subscriptions.includes(subscription.id)).length,
        )
      }),
  )

  it.scopedLive("withholds the texts of sensitive events", () =>
    Effect.gen(function* () {
      const { list, pages } = yield* start()
      const events = (yield* pages(list())).flatMap(({ value }) => value)
      const sensitive = events.filter(({ properties }) => properties["isEventSensitive"] === true)
      expect(sensitive.length).toBeGreaterThan(0)
      for (const { properties } of sensitive) {
        expect(properties).not.toHaveProperty("summary")
        expect(properties).not.toHaveProperty("description")
        expect(JSON.stringify(properties)).not.toContain("updates")
      }
    }),
  )

  it.scopedLive("returns the fields of the requested version", () =>
    Effect.gen(function* () {
      const { list, pages } = yield* start()
      const [newer, older] = yield* Effect.all([
        pages(list("&queryStartTime=1/1/2025")),
        pages(list("&queryStartTime=1/1/2025").replace("2025-05-01", "2025-04-01")),
      ])
      expect(JSON.stringify(newer)).toContain(`"billingId"`)
      expect(JSON.stringify(newer)).not.toContain(`"systemData"`)
      for (const field of ["billingId", "eventSubType", "newRate", "location", `"Billing"`])
        expect(JSON.stringify(older)).not.toContain(field)
      expect(JSON.stringify(older)).toContain(`"systemData"`)
    }),
  )

  it.scopedLive("uses the vendor in its path and field", () =>
    Effect.gen(function* () {
      const { list, pages } = yield* start({ vendor: "Acme" })
      expect(list()).toContain("/providers/Acme.ResourceHealth/events")
      const text = JSON.stringify(yield* pages(list()))
      expect(text).toContain("enableAcmeSupport")
      expect(text).not.toContain("enableVendorSupport")
    }),
  )
})

describe("listing a resource", () => {
  it.scopedLive("returns all events of the resource", () =>
    Effect.gen(function* () {
      const { list, pages, world } = yield* start()
      for (const { uri } of world.resources)
        expect(names(yield* pages(list("", uri)))).toEqual(
          world.events.filter(({ resources }) => resources.includes(uri)).map(({ event }) => event.name),
        )
    }),
  )
})

describe("errors", () => {
  it.scopedLive("are nested from the gateway, and flat from the service", () =>
    Effect.gen(function* () {
      const { ask, baseUrl, list } = yield* start()
      const nested = (status: number, code: string) => ({ status, body: { error: { code } } })
      expect(yield* fetchJson(list())).toMatchObject(nested(401, "AuthenticationFailed"))
      expect(yield* fetchJson(list(), { authorization: "Bearer x" })).toMatchObject(nested(401, "AuthenticationFailed"))
      expect(yield* ask(list("", "/subscriptions/nope"))).toMatchObject(nested(404, "SubscriptionNotFound"))
      expect(yield* ask(list("", "/subscriptions/a/resourceGroups/b"))).toMatchObject(nested(404, "ResourceNotFound"))
      expect(yield* ask(list().replace("2025-05-01", "2020-01-01"))).toMatchObject(
        nested(400, "InvalidApiVersionParameter"),
      )
      expect(yield* ask(list().replace(/\?.*/, ""))).toMatchObject(nested(400, "MissingApiVersionParameter"))
      expect(yield* ask(`${baseUrl}/nowhere`)).toMatchObject(nested(404, "InvalidResourceType"))
      expect(yield* ask(list("&$skipToken=forged"))).toMatchObject({
        status: 400,
        body: { code: "InvalidODataQueryOptions" },
      })
      expect(yield* ask(list("&queryStartTime=soon"))).toMatchObject({
        status: 400,
        body: { code: "InvalidQueryStartTime" },
      })
    }),
  )
})

describe("app management", () => {
  it.scopedLive("returns the profile of the token's user, or a 401 error response", () =>
    Effect.gen(function* () {
      const { apiToken, baseUrl } = yield* start()
      const user = `${baseUrl}/v0.1/user`
      expect(yield* fetchJson(user, { "x-api-token": Redacted.value(apiToken) })).toMatchObject({
        status: 200,
        body: { name: "ada", email: "ada@vigil.example" },
      })
      expect(yield* fetchJson(user)).toMatchObject({ status: 401, body: { statusCode: 401, code: "Unauthorized" } })
    }),
  )
})

describe("the server", () => {
  it.scopedLive("stops with its scope", () =>
    Effect.gen(function* () {
      const { baseUrl } = yield* Effect.scoped(Sandbox.make())
      expect(yield* Effect.isFailure(Effect.tryPromise(() => fetch(baseUrl)))).toBe(true)
    }),
  )

  it.scopedLive("fails if its port is in use", () =>
    Effect.gen(function* () {
      const { baseUrl } = yield* Sandbox.make()
      const port = Number(new URL(baseUrl).port)
      expect(yield* Effect.flip(Sandbox.make({ port }))).toMatchObject({ _tag: "ServeError" })
    }),
  )
})
