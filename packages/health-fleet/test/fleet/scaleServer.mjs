/**
 * Lists of 5 to 50 events, in a process of its own, so that its CPU time is separate. A fifth of the events are in the lists of many
 * subscriptions, two events of each list are active, and one of them changes in every 50th response. Also a receiver of webhooks.
 */
import { createServer } from "node:http"
import { World } from "@vigil/sandbox"

const day = 24 * 60 * 60 * 1000

/** Stands for the number of a subscription. */
const mark = "@@"
const change = "##"

const templates = World.make({ now: Date.now() })
  .events.filter(({ event, lastUpdate }) => lastUpdate > Date.now() - 2 * day && !event.properties?.isEventSensitive)
  .map(({ event }, index) => {
    const isOwn = index % 5 !== 0
    const name = isOwn ? `${event.name}-${mark}` : event.name
    const id = event.id.replace(event.name, name)
    return JSON.stringify({ ...event, id, name, properties: { ...event.properties, status: "Resolved" } })
  })

const [first, second] = templates.filter((text) => text.includes(mark))
const others = templates.filter((text) => text !== first && text !== second)

const activate = (text, suffix) => {
  const { properties, ...event } = JSON.parse(text)
  return JSON.stringify({
    ...event,
    properties: { ...properties, status: "Active", title: `${properties.title}${suffix}` },
  })
}

const open = [activate(first, ` ${change}`), activate(second, "")]

const pages = Array.from({ length: 46 }, (_, extra) => {
  // Evenly, so that a fifth of them are shared.
  const share = (3 + extra) / others.length
  const some = others.filter((_, index) => Math.floor((index + 1) * share) > Math.floor(index * share))
  return [...open, ...some].join(",")
})

/** How often each list was read. */
const polls = new Map()
let deliveries = 0
let bytes = 0

const bodyOf = (url) => {
  const [, id = ""] = /subscriptions\/([^/]+)/.exec(url) ?? []
  const number = Number.parseInt(id.slice(0, 8), 16)
  const count = (polls.get(id) ?? 0) + 1
  polls.set(id, count)
  const page = pages[number % pages.length] ?? ""
  const body = `{"value":[${page.replaceAll(mark, id.slice(0, 8)).replaceAll(change, String(Math.floor((count + (number % 50)) / 50)))}]}`
  bytes += body.length
  return body
}

const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
  if (request.method === "POST") {
    deliveries += 1
    request.resume()
    response.writeHead(204).end()
  } else if (request.url === "/stats") {
    const counts = [...polls.values()]
    const total = counts.reduce((sum, count) => sum + count, 0)
    response.end(
      JSON.stringify({
        polls: total,
        lists: counts.length,
        least: counts.length === 0 ? 0 : Math.min(...counts),
        deliveries,
        bytes,
      }),
    )
  } else {
    response.writeHead(200, { "content-type": "application/json" }).end(bodyOf(request.url))
  }
})
server.listen(0, "127.0.0.1", () => process.send?.(server.address().port))
process.on("disconnect", () => process.exit())
