/** Small parts by themselves, in one process: decoding, filters, paging, redaction, dates, order. `node micro.mjs` prints mitata's table. */
import { fileURLToPath } from "node:url"
import * as EventsPage from "@vigil/health-schema/EventsPage"
import * as Priority from "@vigil/health-schema/Priority"
import * as Timestamp from "@vigil/health-schema/Timestamp"
import * as Filter from "@vigil/health-client/Filter"
import * as Page from "@vigil/paging/Page"
import * as Paging from "@vigil/paging/Paging"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Stream from "effect/Stream"
import { bench, do_not_optimize as keep, group, run } from "mitata"
import { event, page, values } from "./pages.mjs"

// It is nobody's but the spans', and so no export of its package.
const { redactUrl } = await import(new URL("../packages/core-http/dist/internal/redact.js", import.meta.url))

/** Times a function; what it returns is made use of, so that it is not left out. */
const time = (name, work) => bench(name, () => keep(work()))

const text = page(values({ distinct: 1 })[0], "")

/** The page with something else for the nulls of its events' properties, and what stands in their place. */
const withNulls = (nulls) => {
  const parsed = JSON.parse(text)
  for (const { properties } of parsed.value)
    for (const [name, value] of Object.entries(properties)) {
      if (value === null && !nulls) delete properties[name]
      if (typeof value === "boolean" && nulls) properties[name] = null
    }
  return JSON.parse(JSON.stringify(parsed))
}

const withOneBad = () => {
  const parsed = JSON.parse(text)
  parsed.value[50].properties.impactStartTime = "yesterday"
  return parsed
}

/** A page as it is decoded, of which so many events are expected to be none. */
const decoding = (input, invalid) => {
  const decode = EventsPage.decode("2025-05-01")
  if (Either.getOrThrow(decode(input)).invalid.length !== invalid) throw new Error("The page is not what it should be")
  return () => decode(input)
}

const pages = () => {
  group("a page of 100 events of 8 KB", () => {
    time("JSON.parse", () => JSON.parse(text))
    time("decode: no nulls", decoding(withNulls(false), 0))
    time("decode: as sent, with nulls", decoding(JSON.parse(text), 0))
    time("decode: flags are null as well", decoding(withNulls(true), 0))
    time("decode: one bad event", decoding(withOneBad(), 1))
  })
}

const filters = () => {
  const filter = Filter.or(
    Filter.service("Virtual Machines"),
    Filter.region("West Europe"),
    Filter.property("eventType", "it's"),
  )
  const written = Filter.render(filter)
  group("a filter of 3 comparisons", () => {
    time("Filter.render", () => Filter.render(filter))
    time("Filter.parse", () => Filter.parse(written))
  })
}

const paging = () => {
  const items = Array.from({ length: 100 }, (_, index) => index)
  const next = (number) => Effect.succeed(number < 1_000 ? Page.withNext(items, number + 1) : Page.last(items))
  const read = (options) => Effect.runSync(Stream.runDrain(Paging.pages({ first: 1, next, ...options })))
  group("1,000 pages in memory", () => {
    time("Paging.pages", () => read({}))
    time("Paging.pages: limits and progress", () =>
      read({ maxItems: 1e6, maxPages: 1e6, onProgress: () => Effect.void }),
    )
  })
}

const addresses = () => {
  const path = "http://127.0.0.1:8080/subscriptions/1/providers/Microsoft.ResourceHealth/events"
  const plain = new URL(`${path}?api-version=2025-05-01&queryStartTime=1/2/2025`)
  const linked = new URL(`${path}?api-version=2025-05-01&$skipToken=${"abcdef%2B".repeat(30)}`)
  group("an address in a span", () => {
    time("redaction: first page", () => redactUrl(plain))
    time("redaction: with a token", () => redactUrl(linked))
  })
}

const dates = () => {
  const texts = [
    "2025-03-04T05:06:07Z",
    "2025-03-04T05:06:07.120Z",
    "2025-03-04T05:06:07.1203530Z",
    "0001-01-01T00:00:00Z",
  ]
  group("4 dates", () => {
    time("Timestamp.isTimestamp", () => texts.map(Timestamp.isTimestamp))
    time("Timestamp.instant", () => texts.map(Timestamp.instant))
    time("new Date", () => texts.map((one) => new Date(one).getTime()))
  })
}

const order = () => {
  const sent = Array.from({ length: 1_000 }, (_, index) => event(index))
  const derived = sent.map((one) => ({ ...one, properties: { ...one.properties, priority: null } }))
  group("1,000 events by priority", () => {
    time("sort: as sent", () => sent.toSorted(Priority.byPriority))
    time("sort: derived", () => derived.toSorted(Priority.byPriority))
  })
}

/** Times all of it, in nanoseconds a turn: the middle one, and the bounds of the middle half. `options` are mitata's. */
export const micro = async (options = { format: "quiet" }) => {
  for (const make of [pages, filters, paging, addresses, dates, order]) make()
  const { benchmarks, layout } = await run({ throw: true, ...options })
  return benchmarks.map(({ group, runs: [{ name, stats }] }) => ({
    group: layout[group]?.name ?? "",
    name,
    nanoseconds: stats.p50,
    quartiles: [stats.p25, stats.p75],
  }))
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await micro({ colors: process.stdout.isTTY })
