/** A webhook receiver that records accepted notifications, and fails if a test tells it to. */
import { createHmac } from "node:crypto"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { Notification } from "@vigil/notify"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

/** `lost`: records the notification, but closes the connection without a response. */
type Reply = "accept" | "fail" | "lost" | "refuse"

export interface Receiver {
  readonly name: string
  readonly url: string
  readonly secret: string
  /** Notifications with the reply `accept` or `lost`, in order, with repetitions. */
  readonly received: ReadonlyArray<Notification.Notification>
  /** IDs of refused notifications. */
  readonly refused: ReadonlySet<string>
  /** IDs of notifications with an invalid signature or ID header. */
  readonly invalid: ReadonlyArray<string>
  /** Sets the function that chooses later replies. */
  readonly reply: (decide: (notification: Notification.Notification) => Reply) => void
}

const Body = Schema.fromJsonString(Schema.Struct({ data: Notification.Notification }))

const decode = Schema.decodeUnknownSync(Body)

const read = async (request: IncomingMessage): Promise<string> => {
  const parts: Array<Buffer> = []
  for await (const part of request) parts.push(Buffer.from(part))
  return Buffer.concat(parts).toString()
}

/** https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md */
const isSigned = ({ headers }: IncomingMessage, body: string, secret: string): boolean => {
  const key = Buffer.from(secret.slice("whsec_".length), "base64")
  const content = `${headers["webhook-id"]}.${headers["webhook-timestamp"]}.${body}`
  return headers["webhook-signature"] === `v1,${createHmac("sha256", key).update(content).digest("base64")}`
}

/** Starts a receiver. `delay` returns how long to wait before a reply, in milliseconds. */
export const startReceiver = (name: string, delay: () => number = () => 0) =>
  Effect.gen(function* () {
    const secret = `whsec_${Buffer.alloc(32, name).toString("base64")}`
    const received: Array<Notification.Notification> = []
    const refused = new Set<string>()
    const invalid: Array<string> = []
    let decide: (notification: Notification.Notification) => Reply = () => "accept"
    const respond = async (request: IncomingMessage, response: ServerResponse) => {
      const body = await read(request)
      const { data } = decode(body)
      if (!isSigned(request, body, secret) || request.headers["webhook-id"] !== data.id) invalid.push(data.id)
      const reply = decide(data)
      if (reply === "accept" || reply === "lost") received.push(data)
      if (reply === "refuse") refused.add(data.id)
      setTimeout(() => {
        if (reply === "lost") response.destroy()
        else response.writeHead({ accept: 204, fail: 503, refuse: 400 }[reply]).end()
      }, delay())
    }
    const server = yield* Effect.acquireRelease(
      Effect.callback<ReturnType<typeof createServer>>((resume) => {
        const server = createServer((request, response) => {
          // A runner that is killed breaks its connections.
          respond(request, response).catch(() => response.destroy())
        })
        server.listen(0, "127.0.0.1", () => resume(Effect.succeed(server)))
      }),
      (server) =>
        Effect.callback<void>((resume) => {
          server.close(() => resume(Effect.void))
          server.closeAllConnections()
        }),
    )
    const { port } = server.address() as AddressInfo
    const receiver: Receiver = {
      name,
      url: `http://127.0.0.1:${port}/${name}`,
      secret,
      received,
      refused,
      invalid,
      reply: (next) => {
        decide = next
      },
    }
    return receiver
  })
