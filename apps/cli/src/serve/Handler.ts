/** Responds to requests: checks them, makes a content once for each poll, and sends it. */
import type { IncomingMessage, ServerResponse } from "node:http"
import * as LivePage from "@vigil/health-report/LivePage"
import type { Snapshot } from "@vigil/health-report/Snapshot"
import * as Subject from "@vigil/health-verdict/Subject"
import * as Json from "../output/Json.js"
import { enumerateSome } from "../output/Output.js"
import * as Access from "./Access.js"
import * as Calendar from "./Calendar.js"
import * as Content from "./Content.js"
import * as Drawing from "./Drawing.js"
import * as IssueMetrics from "./IssueMetrics.js"
import * as Maintenance from "./Maintenance.js"
import * as Metrics from "./Metrics.js"
import * as MetricsText from "./MetricsText.js"
import * as Readiness from "./Readiness.js"
import * as ResourceMetrics from "./ResourceMetrics.js"
import * as State from "./State.js"

/** Times are in milliseconds. */
export interface Options extends Drawing.Options {
  readonly access: Access.Access
  readonly state: () => State.State
  /** Monotonic. */
  readonly now: () => number
  /** The metrics of notifications and of a fleet. */
  readonly families: () => ReadonlyArray<MetricsText.Family>
  /** Whether notifications are stored. */
  readonly isStored: () => boolean
  readonly every: number
  /** Of the command, for the metrics. */
  readonly version: string
  /** Which events the lists have, such as `updated in the last 90d`. */
  readonly period: string
  /** Of the page, for links in metrics. */
  readonly publicUrl?: URL | undefined
  /** Responds at `/mcp`. */
  readonly mcp?: Respond | undefined
}

/** No page of another origin may read, frame or embed a response. */
const common = {
  "cache-control": "private, no-cache",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
}

const uncached = { "cache-control": "no-store" }

const methods = ["GET", "HEAD"]

/** In milliseconds. Calls end in 30 seconds. */
const toolTimeout = 60_000

/** How many bodies of requests to `/mcp` are received at once. More end the one that takes the longest. */
const maxBodiesReceived = 200

type Headers = Readonly<Record<string, string | number | ReadonlyArray<string>>>

type Respond = (request: IncomingMessage, response: ServerResponse) => Promise<void> | void

const send = (
  { method }: IncomingMessage,
  response: ServerResponse,
  status: number,
  headers: Headers,
  body: Buffer,
) => {
  response.writeHead(status, { ...common, "content-length": body.length, ...headers })
  response.end(method === "HEAD" ? undefined : body)
}

const sendText = (
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  text: string,
  headers: Headers = {},
) =>
  send(request, response, status, { "content-type": "text/plain; charset=utf-8", ...headers }, Buffer.from(`${text}\n`))

/** How many different bodies of a path are sent at once. */
const maxBodies = 4

/** Sends bodies that change. The readers of the oldest body are cut off, so that slow ones do not keep many bodies in memory. */
const limited = (): typeof send => {
  const readers = new Map<Buffer, Set<ServerResponse>>()
  return (request, response, status, headers, body) => {
    const all = readers.get(body) ?? new Set()
    readers.set(body, all.add(response))
    response.once("close", () => all.delete(response) && all.size === 0 && readers.delete(body))
    const [oldest] = readers
    if (readers.size > maxBodies && oldest !== undefined) {
      readers.delete(oldest[0])
      for (const one of oldest[1]) one.destroy()
    }
    send(request, response, status, headers, body)
  }
}

/** Passes on requests to `/mcp`. Those whose bodies never end keep no connection from others. */
const passTools = () => {
  const receiving = new Set<ServerResponse>()
  return (mcp: Respond, request: IncomingMessage, response: ServerResponse) => {
    const [oldest] = receiving
    if (receiving.size >= maxBodiesReceived) oldest?.destroy()
    receiving.add(response)
    request.once("end", () => receiving.delete(response))
    response.once("close", () => receiving.delete(response))
    // Nothing is sent until a tool ends.
    response.setTimeout(toolTimeout)
    for (const [name, value] of Object.entries({ ...common, ...uncached })) response.setHeader(name, value)
    return mcp(request, response)
  }
}

const idOf = (subject: Subject.Subject) => {
  if (Subject.isSubscription(subject)) return { subscription: subject }
  return subject._tag === "Resource" ? { resource: subject.id } : { scope: Subject.key(subject) }
}

/** A list of `/events`. The time of one that did not fail is left out, so that the body changes only with its content. */
const listOf = (list: State.List) => {
  const { failure, name, read, subject } = list
  return {
    ...idOf(subject),
    name: name ?? null,
    problem: State.problemOf(list) ?? null,
    readAt: failure === undefined || read === undefined ? null : new Date(read.at).toISOString(),
  }
}

/** The lists, and all events that are not nested too deeply for JSON. */
const events = (period: string): Content.Render =>
  function* ({ snapshot, state }) {
    const { events, invalid } = snapshot
    yield `${Json.line({ period, lists: state.lists.map(listOf), invalid })?.slice(0, -1)},\n"events":[`
    let separator = ""
    for (const event of events) {
      const line = Json.line(event)
      if (line === undefined) continue
      yield separator + line
      separator = ",\n"
    }
    yield "]}\n"
  }

/** For the name of the calendar, without the IDs of what has a name. */
const namesOf = ({ source, subscriptions = [] }: Snapshot): string =>
  enumerateSome(subscriptions.map(({ id, name }) => name ?? `Subscription ${id}`)) || source

const page: Content.Render = ({ snapshot, state }) => LivePage.chunks(snapshot, state)

/** The path, and the hosts of the request: the target may be a complete URL (RFC 9112, 3.2.2). */
const locate = ({ headers, url = "" }: IncomingMessage) => {
  const [origin = "", authority] = /^https?:\/\/([^/?#]*)/i.exec(url) ?? []
  return {
    path: url.slice(origin.length).split(/[?#]/, 1)[0] || "/",
    authorities: [headers.host ?? "", ...(authority === undefined ? [] : [authority])],
  }
}

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers["transfer-encoding"] !== undefined || (headers["content-length"] ?? "0") !== "0"

export const make = (options: Options): Respond => {
  const { access, every, families, isStored, mcp, names, now, period, publicUrl, state, version } = options
  const drawingOf = Content.oncePerVersion((state) => Drawing.make(state, options))
  const problem = () => Readiness.problem(state(), now(), every)
  const tools = passTools()

  const represent = (type: string, render: Content.Render, headers: Headers = {}): Respond => {
    const contentOf = Content.make(render, drawingOf)
    const senders = { identity: limited(), gzip: limited() }
    return async (request, response) => {
      const current = state()
      // A browser tries again by itself.
      if (!Readiness.isReady(current))
        return sendText(request, response, 503, problem() ?? "", { "retry-after": "5", refresh: "5" })
      const encoding = Content.encoding(request.headers["accept-encoding"])
      const { body, tag } = (await contentOf(current))[encoding]
      const seconds = Math.floor(Readiness.oldest(current, now()) / 1000)
      const all = { "content-type": type, etag: tag, vary: "accept-encoding", "vigil-poll-age": seconds, ...headers }
      if (Content.isUnchanged(tag, request.headers["if-none-match"])) {
        response.writeHead(304, { ...common, ...all }).end()
        return
      }
      const coding = encoding === "identity" ? {} : { "content-encoding": encoding }
      senders[encoding](request, response, 200, { ...all, ...coding }, await body())
    }
  }

  const metricsOf = Content.oncePerVersion((state) => {
    const drawing = drawingOf(state)
    const issues = IssueMetrics.issues(drawing, names, publicUrl)
    return MetricsText.render([
      ...Metrics.events(drawing, period),
      ...issues,
      ...ResourceMetrics.resources(drawing, publicUrl),
    ])
  })
  const metrics: Respond = (request, response) => {
    const facts = { state: state(), now: now(), every, version }
    const text = MetricsText.render([...Metrics.server(facts), ...families()]) + metricsOf(facts.state)
    // Scrapers share no body, so that the next ones do not cut off this one. Few places have names, so the body is small.
    send(request, response, 200, { "content-type": MetricsText.contentType, ...uncached }, Buffer.from(text))
  }

  const open: Readonly<Record<string, Respond>> = {
    "/healthz": (request, response) => sendText(request, response, 200, "alive", uncached),
    "/readyz": (request, response) => {
      const isReady = Readiness.isReady(state())
      const problems = [problem(), ...Readiness.failed(state()).map((id) => `Could not read ${id}`)]
      if (!isStored()) problems.push("Could not store notifications")
      const lines = [isReady ? "ready" : undefined, ...problems].filter((line) => line !== undefined)
      sendText(request, response, isReady ? 200 : 503, lines.join("\n"), uncached)
    },
  }

  const minutes = Math.max(1, Math.round(every / 60_000))
  const routes: Readonly<Record<string, Respond>> = {
    ...open,
    "/": represent("text/html; charset=utf-8", page, { "content-security-policy": LivePage.policy }),
    "/events": represent("application/json", events(period)),
    "/calendar.ics": represent("text/calendar; charset=utf-8", ({ remark, replaced, snapshot }) =>
      // An event that has become invalid keeps its maintenance.
      Calendar.make(namesOf(snapshot), Maintenance.fromEvents([...replaced, ...snapshot.events]), { minutes, remark }),
    ),
    "/metrics": metrics,
  }

  return (request, response) => {
    const { authorities, path } = locate(request)
    const refusal = Access.refusal(access, request.headers, { authorities, isOpen: Object.hasOwn(open, path) })
    if (refusal !== undefined) return sendText(request, response, refusal.status, refusal.text, refusal.headers)
    if (path === "/mcp" && mcp !== undefined) return tools(mcp, request, response)
    // The connection ends instead of reading the body.
    if (hasBody(request)) response.shouldKeepAlive = false
    const respond = Object.hasOwn(routes, path) ? routes[path] : undefined
    if (respond === undefined)
      return sendText(
        request,
        response,
        404,
        `Paths: ${[...Object.keys(routes), ...(mcp === undefined ? [] : ["/mcp"])].join(" ")}`,
      )
    if (!methods.includes(request.method ?? ""))
      return sendText(request, response, 405, "This server is read-only.", { allow: methods.join(", ") })
    if (hasBody(request)) return sendText(request, response, 413, "Send no body.")
    return respond(request, response)
  }
}
