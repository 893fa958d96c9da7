/** A server on this machine for one sign-in in one browser: redirects it to the authorization server and receives the response. */
import { createHash, randomBytes } from "node:crypto"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Queue from "effect/Queue"
import * as Schema from "effect/Schema"
import { CommandError } from "../command/CommandError.js"
import * as Listen from "../listen/Listen.js"

export interface Message {
  readonly title: string
  readonly text: string
}

const style =
  "body{font:1rem/1.5 system-ui,sans-serif;max-width:36rem;margin:4rem auto;padding:0 1rem}h1{font-size:1.5rem}"

/** Removes the fragment from the URL and the history first. */
const script = `
const fragment = location.hash
history.replaceState(null, "", location.pathname)
const say = ({ title, text }) => {
  document.title = title
  document.querySelector("h1").textContent = title
  document.querySelector("p").textContent = text + " You can close this window."
}
const gone = { title: "The command has ended", text: "Run the command again to sign in." }
if (fragment.length > 1)
  fetch(document.body.dataset.path, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ fragment }),
  })
    .then((response) => (response.ok ? response.json() : gone))
    .catch(() => gone)
    .then(say)
else say({ title: "No response to process", text: "Sign in at the URL that the command printed." })
`

const hash = (text: string) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`

/** Allows only this script and this style. The page is not cached or framed, and sends no referrer. */
const pageHeaders = {
  "content-type": "text/html; charset=utf-8",
  "content-security-policy": [
    "default-src 'none'",
    `script-src ${hash(script)}`,
    `style-src ${hash(style)}`,
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; "),
  "cache-control": "no-store",
  "cross-origin-opener-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
}

const page = (path: string): string => `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><title>Signing in</title><style>${style}</style></head>
<body data-path="${path}">
<h1>Signing in</h1>
<p role="status">One moment.</p>
<noscript>This page requires JavaScript. Without it, run vigil auth login --token-stdin.</noscript>
<script>${script}</script>
</body>
</html>
`

/** The response of the authorization server, and how to show the result in the browser. */
interface SignInResponse {
  readonly fragment: string
  readonly reply: (message: Message) => Effect.Effect<void>
}

const maxBytes = 64 * 1024

const randomSegment = () => randomBytes(32).toString("base64url")

const Body = Schema.fromJsonString(Schema.Struct({ fragment: Schema.String }))

const textOf = async (request: IncomingMessage): Promise<string | undefined> => {
  const parts: Array<Buffer> = []
  let size = 0
  for await (const part of request) {
    const bytes = Buffer.from(part)
    size += bytes.length
    if (size > maxBytes) return undefined
    parts.push(bytes)
  }
  return Buffer.concat(parts).toString("utf8")
}

const refuse = (response: ServerResponse, status: number, text = "") => {
  response.writeHead(status, { "cache-control": "no-store", connection: "close" }).end(text)
}

const send = (response: ServerResponse, message: Message) => {
  response
    .writeHead(200, { "content-type": "application/json", "cache-control": "no-store", connection: "close" })
    .end(JSON.stringify(message))
}

const reply =
  (response: ServerResponse) =>
  (message: Message): Effect.Effect<void> =>
    Effect.callback((resume) => {
      response.once("close", () => resume(Effect.void))
      if (response.destroyed) return resume(Effect.void)
      send(response, message)
    })

const wrongBrowser: Message = {
  title: "You are not signed in",
  text: "The sign-in started in another browser, or this one blocks cookies. Run the command again.",
}

const openedTwice = new CommandError(
  "unauthenticated",
  "The sign-in was stopped, because its address was opened twice: another user of this machine may have opened it first. No token was stored. Run the command again; with --no-browser, other users cannot see the address.",
)

/** The status for a request that the page itself did not send. */
const refusalOf = ({ headers, method }: IncomingMessage): number | undefined => {
  if (method !== "POST") return 405
  // The host is that of this server.
  if (headers.origin !== `http://${headers.host}`) return 403
  return headers["content-type"] === "application/json" ? undefined : 415
}

/** Starts the server on a port; 0 is any free port. It stops with its scope. Fails with `UsageError` if the port is in use. */
export const listen = Effect.fnUntraced(function* (port: number) {
  const responses = yield* Queue.unbounded<SignInResponse>()
  const stopped = yield* Deferred.make<never, CommandError>()
  const [path, start] = [`/response/${randomSegment()}`, `/start/${randomSegment()}`]
  /** Only the browser that opens the start address has it. */
  const cookie = `sign-in=${randomSegment()}`
  let target: string | undefined
  let host: string | undefined
  const node = createServer()

  const receive = async (request: IncomingMessage, response: ServerResponse) => {
    const status = refusalOf(request)
    if (status !== undefined) return refuse(response, status)
    if (!request.headers.cookie?.split("; ").includes(cookie)) return send(response, wrongBrowser)
    const found = Schema.decodeUnknownOption(Body)(await textOf(request))
    if (Option.isNone(found)) return refuse(response, 400)
    Queue.offerUnsafe(responses, { fragment: found.value.fragment, reply: reply(response) })
  }

  const redirectOnce = (response: ServerResponse) => {
    if (target === undefined) {
      response.once("close", () => void Deferred.doneUnsafe(stopped, openedTwice))
      return refuse(response, 410, openedTwice.message)
    }
    const headers = { location: target, "cache-control": "no-store", "referrer-policy": "no-referrer" }
    const setCookie = { "set-cookie": `${cookie}; Path=${path}; HttpOnly; SameSite=Strict` }
    response.writeHead(302, { ...headers, ...setCookie, connection: "close" }).end()
    target = undefined
  }

  node.on("request", (request, response) => {
    // Under another host name, the page could pose as another site.
    if (request.headers.host !== host) return refuse(response, 421)
    if (request.url === path) return void receive(request, response).catch(() => response.destroy())
    const isStart = request.url === start
    if (!isStart && request.url?.replace(/\?.*/s, "") !== "/") return refuse(response, 404)
    if (request.method !== "GET") return refuse(response, 405)
    if (isStart) return redirectOnce(response)
    response.writeHead(200, { ...pageHeaders, connection: "close" }).end(page(path))
  })

  const close = Effect.callback<void>((resume) => {
    node.close(() => resume(Effect.void))
    node.closeAllConnections()
  })
  const url = `http://127.0.0.1:${yield* Listen.listen(node, { host: "127.0.0.1", port }, close)}/`
  host = new URL(url).host
  return {
    url,
    /** The next response from the browser that opened the local URL. */
    response: Queue.take(responses),
    /** Fails when the local URL is opened twice. */
    stopped: Deferred.await(stopped),
    /**
     * Returns a local URL that redirects to `destination` once. The browser is opened with the local URL, because other users can
     * list the arguments of a program, and `destination` contains the state.
     */
    redirect: (destination: string): string => {
      target = destination
      return new URL(start, url).href
    },
  }
})

export type Loopback = Effect.Success<ReturnType<typeof listen>>
