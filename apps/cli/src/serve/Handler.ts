/** Responds to requests: checks them, finds the representation, and sends it. */
import type { IncomingMessage, ServerResponse } from "node:http"
import { version } from "../Version.js"
import * as Access from "./Access.js"
import * as Metrics from "./Metrics.js"
import * as MetricsText from "./MetricsText.js"
import * as State from "./State.js"
import * as Views from "./Views.js"

/** Times are in milliseconds. */
export interface Options {
  readonly access: Access.Access
  readonly state: () => State.State
  readonly now: () => number
  /** The metrics of notifications and of a fleet. */
  readonly families: () => ReadonlyArray<MetricsText.Family>
  readonly every: number
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

const plainText = "text/plain; charset=utf-8"

const methods = ["GET", "HEAD"]

type Headers = Readonly<Record<string, string>>

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

const say = (request: IncomingMessage, response: ServerResponse, status: number, text: string, headers: Headers = {}) =>
  send(request, response, status, { "content-type": plainText, ...headers }, Buffer.from(`${text}\n`))

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

type Respond = (request: IncomingMessage, response: ServerResponse) => void

/** `refresh`: a browser tries again by itself. */
const wait: Respond = (request, response) =>
  say(request, response, 503, "No poll has succeeded yet. Try again soon.", { "retry-after": "5", refresh: "5" })

export const make = ({ access, every, families, now, state }: Options): Respond => {
  const { metrics, views } = Views.maker(every)

  const represent =
    (select: (views: Views.Views) => Views.Representation): Respond =>
    (request, response) => {
      const current = views(state())
      if (current === undefined) return wait(request, response)
      const found = select(current)
      const { body, headers, tag, type } = found
      if (!Views.isUnchanged(found, request.headers["if-none-match"]))
        return send(request, response, 200, { "content-type": type, etag: tag, ...headers }, body)
      response.writeHead(304, { ...common, etag: tag, ...headers }).end()
    }

  const serveMetrics: Respond = (request, response) => {
    const facts = { state: state(), now: now(), version }
    const text = MetricsText.render([...Metrics.server(facts), ...families(), ...metrics(facts.state)])
    const headers = { "content-type": MetricsText.contentType, "cache-control": "no-store" }
    send(request, response, 200, headers, Buffer.from(text))
  }

  const ready: Respond = (request, response) =>
    State.isReady(state(), now(), every)
      ? say(request, response, 200, "ready", { "cache-control": "no-store" })
      : say(request, response, 503, "The last successful poll is missing or too old.", { "cache-control": "no-store" })

  const open: Readonly<Record<string, Respond>> = {
    "/healthz": (request, response) => say(request, response, 200, "alive", { "cache-control": "no-store" }),
    "/readyz": ready,
  }

  const routes: Readonly<Record<string, Respond>> = {
    ...open,
    "/": represent(({ page }) => page()),
    "/events": represent(({ events }) => events()),
    "/calendar.ics": represent(({ calendar }) => calendar()),
    "/metrics": serveMetrics,
  }

  return (request, response) => {
    const { authorities, path } = locate(request)
    const refusal = Access.refusal(access, request.headers, { authorities, isOpen: Object.hasOwn(open, path) })
    if (refusal !== undefined) return say(request, response, refusal.status, refusal.text, refusal.headers)
    // The connection ends instead of reading the body.
    if (hasBody(request)) response.shouldKeepAlive = false
    const respond = Object.hasOwn(routes, path) ? routes[path] : undefined
    if (respond === undefined) return say(request, response, 404, `Paths: ${Object.keys(routes).join(" ")}`)
    if (!methods.includes(request.method ?? ""))
      return say(request, response, 405, "This server is read-only.", { allow: methods.join(", ") })
    if (hasBody(request)) return say(request, response, 413, "Send no body.")
    respond(request, response)
  }
}
