/**
 * Serves pages from memory, in its own process, so that its CPU time is separate. Pages are serialized on the first request. The ID of a
 * subscription describes its list.
 */
import { fork } from "node:child_process"
import { once } from "node:events"
import { createServer } from "node:http"
import { fileURLToPath } from "node:url"
import { brief, usual, values } from "./pages.mjs"

const digits = (number, length) => String(number).padStart(length, "0")

/**
 * The ID of a subscription. `kilobytes` is the size of its events (0: the usual shape), `delay` the milliseconds per page. With `isUnlike`, all
 * pages differ; otherwise a few pages are repeated. `number` distinguishes subscriptions with the same list.
 */
export const subscription = ({ delay = 0, events = 100, isUnlike = false, kilobytes = 0, number = 0, pages }) =>
  `${digits(pages, 8)}-${digits(delay, 4)}-4${digits(events, 3)}-8${digits(kilobytes, 3)}-${isUnlike ? 1 : 0}${digits(number, 11)}`

const fromId = (id) => {
  const [pages, delay, events, kilobytes, last] = id.split("-")
  return {
    pages: Number(pages),
    delay: Number(delay),
    events: Number(events.slice(1)),
    kilobytes: Number(kilobytes.slice(1)),
    isUnlike: last.startsWith("1"),
  }
}

/** Minimum sizes in kilobytes, and the shapes without their updates. */
const frames = [
  [8, usual],
  [4, { impacts: 2, regions: 3 }],
  [2, { impacts: 1, regions: 1 }],
]

/** The average size of an event of a shape, in bytes. */
const bytes = (shape) => Buffer.byteLength(values({ distinct: 1, events: 100, shape })[0]) / 100

/** The shape of events of this size in units of 1,024 bytes, within 7 %; 0 is the usual shape. */
const shapeOf = (kilobytes) => {
  if (kilobytes === 0) return usual
  const [, frame] = frames.find(([least]) => kilobytes >= least) ?? []
  if (frame === undefined) return brief
  const [none, one] = [0, 1].map((updates) => bytes({ ...frame, updates }))
  return { ...frame, updates: Math.round((kilobytes * 1024 - none) / (one - none)) }
}

const cache = new Map()

/** The pages of a list, as bytes without their links. */
const bodies = ({ events, isUnlike, kilobytes, pages }) => {
  const key = `${events} ${kilobytes} ${isUnlike ? pages : ""}`
  if (!cache.has(key)) {
    const made = values({
      distinct: isUnlike ? pages : events * Math.max(kilobytes, 6) > 2_000 ? 2 : 10,
      events,
      shape: shapeOf(kilobytes),
    })
    cache.set(
      key,
      made.map((value) => Buffer.from(`{"value":${value},"nextLink":`)),
    )
  }
  return cache.get(key)
}

const respond = (request, response) => {
  const url = new URL(request.url, `http://${request.headers.host}`)
  const list = fromId(/subscriptions\/([^/]+)/.exec(url.pathname)?.[1] ?? "")
  const number = Number(url.searchParams.get("$skipToken") ?? "1")
  const link = number < list.pages ? `${url.origin}${url.pathname}?api-version=2025-05-01&$skipToken=${number + 1}` : ""
  const made = bodies(list)
  const body = made[number % made.length]
  const end = `${JSON.stringify(link)}}`
  const send = () => {
    response.writeHead(200, { "content-type": "application/json", "content-length": body.length + end.length })
    response.write(body)
    response.end(end)
  }
  if (list.delay === 0) send()
  else setTimeout(send, list.delay)
}

/** Starts the server in its own process, which ends with this process. */
export const start = async () => {
  const child = fork(fileURLToPath(import.meta.url), { stdio: ["ignore", "inherit", "inherit", "ipc"] })
  const [port] = await once(child, "message")
  child.unref()
  child.channel.unref()
  process.on("exit", () => child.kill())
  return { baseUrl: `http://127.0.0.1:${port}`, stop: () => child.kill() }
}

if (process.send !== undefined && process.argv[1] === fileURLToPath(import.meta.url)) {
  const server = createServer({ keepAliveTimeout: 60_000 }, respond)
  process.on("disconnect", () => process.exit())
  server.listen(0, "127.0.0.1", () => process.send(server.address().port))
}
