/** Answers connections by a script, one request of a connection after the other, and remembers them. */
import type { Socket } from "node:net"
import type { TLSSocket } from "node:tls"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as FiberId from "effect/FiberId"
import * as FiberSet from "effect/FiberSet"
import * as Queue from "effect/Queue"
import type * as Scope from "effect/Scope"
import type { Received } from "../../Received.js"
import * as Reply from "../../Reply.js"
import { sleep } from "./machine.js"
import * as record from "./record.js"
import * as requestReader from "./requestReader.js"
import { writeReply } from "./writeReply.js"

/** A connection, and the origin that it was made to. */
interface Connection {
  readonly tcp: Socket
  readonly tls: TLSSocket | undefined
  readonly origin: string
}

/** What answers connections. */
export interface Answerer {
  readonly accept: (connection: Connection) => void
  readonly memory: record.Memory
}

/**
 * How many milliseconds a reset stays behind what was written before it. A client that finds both at once may take the reset for
 * an end (libuv does), and not tell of it.
 */
const untilRead = 25

const nothingLeft = Reply.text("The script of this fault server has no reply.\n", { status: 500 })

const choose = (script: Reply.Script, request: Received, index: number): Effect.Effect<Reply.Reply> =>
  Effect.suspend(() => {
    const reply =
      typeof script === "function" ? script(request, index) : (script[index] ?? script.at(-1) ?? nothingLeft)
    return Effect.isEffect(reply) ? reply : Effect.succeed(reply)
  }).pipe(
    Effect.catchAllDefect((defect) =>
      Effect.succeed(
        Reply.text(`The script of this fault server failed: ${Cause.pretty(Cause.die(defect))}\n`, { status: 500 }),
      ),
    ),
  )

const badRequest: Reply.Reply = { ...Reply.text("This is no HTTP/1.1 request.\n", { status: 400 }), end: "close" }

/** An answerer that gives every connection up with its scope. */
export const make = (script: Reply.Script): Effect.Effect<Answerer, never, Scope.Scope> =>
  Effect.gen(function* () {
    const memory = record.make()
    const run = yield* FiberSet.makeRuntime<never>()

    const accept: Answerer["accept"] = ({ origin, tcp, tls }) => {
      const socket = tls ?? tcp
      const read = requestReader.make()
      const queue = Effect.runSync(Queue.unbounded<readonly [Received, number] | "invalid">())

      const answer = (reply: Reply.Reply, request: Received | undefined) =>
        Effect.gen(function* () {
          yield* writeReply(socket, reply, request?.method === "HEAD")
          if (reply.end === "hang") return yield* Effect.never
          if (reply.end === "reset") {
            if (reply !== Reply.reset) yield* sleep(untilRead)
            tcp.resetAndDestroy()
            return yield* Effect.never
          }
          if (reply.end === "close" || /close/i.test(request?.headers["connection"] ?? "")) {
            socket.end()
            return yield* Effect.never
          }
        })

      const fiber = run(
        Effect.forever(
          Effect.flatMap(Queue.take(queue), (received) => {
            if (received === "invalid") return answer(badRequest, undefined)
            const [request, index] = received
            return Effect.flatMap(choose(script, request, index), (reply) => answer(reply, request))
          }),
          // A body that dies is given up with its connection.
        ).pipe(Effect.ensuring(Effect.sync(() => tcp.destroy()))),
      )
      socket.once("close", () => fiber.unsafeInterruptAsFork(FiberId.none))
      // What a client does to its side of a connection is no fault of the server.
      socket.on("error", () => socket.destroy())
      socket.on("data", (bytes: Buffer) => {
        const chunk = bytes.toString("latin1")
        memory.chunk(chunk)
        for (const found of read(chunk)) {
          if (found === "invalid") queue.unsafeOffer(found)
          else {
            const request = { ...found, origin, secure: tls !== undefined }
            queue.unsafeOffer([request, memory.request(request)])
          }
        }
      })
    }
    return { accept, memory }
  })
