/** A server that runs while a test asks it, and its poll by poll. */
import { type IncomingHttpHeaders, type IncomingMessage, request as requestOf, type RequestOptions } from "node:http"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Queue from "effect/Queue"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/TestClock"
import * as Cli from "../src/Cli.js"
import { Input } from "../src/Input.js"
import { Output } from "../src/output/Output.js"

export interface Answer {
  readonly status: number | undefined
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

/** Opens a request, and returns when the head of the response is there. */
const open = (url: string, options: RequestOptions = {}, body?: string): Effect.Effect<IncomingMessage> =>
  Effect.async((resume) => {
    const sent = requestOf(url, { agent: false, ...options }, (response) => resume(Effect.succeed(response)))
    sent.on("error", (error) => resume(Effect.die(error)))
    sent.end(body)
    return Effect.sync(() => sent.destroy())
  })

const read = (response: IncomingMessage): Promise<string> =>
  new Promise((resolve, reject) => {
    let text = ""
    response.setEncoding("utf8").on("data", (chunk) => (text += String(chunk)))
    response.on("end", () => resolve(text))
    response.on("error", reject)
  })

export const ask = (url: string, options?: RequestOptions, body?: string): Effect.Effect<Answer> =>
  Effect.flatMap(open(url, options, body), (response) =>
    Effect.map(
      Effect.promise(() => read(response)),
      (text) => ({ status: response.statusCode, headers: response.headers, text }),
    ),
  )

/** The messages of an event stream, as they arrive. The queue ends with an empty text. */
export const stream = (url: string, options?: RequestOptions) =>
  Effect.gen(function* () {
    const response = yield* open(`${url}changes`, options)
    const messages = yield* Queue.unbounded<string>()
    let rest = ""
    response.setEncoding("utf8").on("data", (chunk) => {
      const parts = (rest + String(chunk)).split("\n\n")
      rest = parts.pop() ?? ""
      for (const part of parts) messages.unsafeOffer(part)
    })
    response.on("end", () => messages.unsafeOffer(""))
    response.on("error", () => messages.unsafeOffer(""))
    yield* Effect.addFinalizer(() => Effect.sync(() => response.destroy()))
    return { status: response.statusCode, message: Queue.take(messages) }
  })

/** Begins `vigil serve` on a free port with these arguments, until the scope closes. */
export const serving = (...args: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const urls = yield* Deferred.make<string>()
    const notes = yield* Queue.unbounded<string>()
    const waits = yield* Queue.unbounded<string>()
    const fiber = yield* Cli.run(["serve", "--port", "0", ...args]).pipe(
      Effect.provideService(Output, {
        data: ([url = ""]) => Effect.asVoid(Deferred.succeed(urls, url)),
        note: (line) => Effect.asVoid(Queue.offer(notes, line)),
        status: (line) => (line?.startsWith("Next poll") ? Effect.asVoid(Queue.offer(waits, line)) : Effect.void),
        width: 80,
        color: false,
      }),
      Effect.provideService(Input, {
        isTerminal: false,
        isInteractive: false,
        lines: Stream.empty,
        ask: () => Effect.succeed(undefined),
      }),
      Effect.forkScoped,
    )
    const failed = Effect.flatMap(Fiber.join(fiber), (code) => Effect.dieMessage(`It ended with ${code}.`))
    const url = yield* Effect.raceFirst(Deferred.await(urls), failed)
    // It says how to use it.
    yield* Queue.take(notes)
    return {
      fiber,
      url,
      get: (path: string, options?: RequestOptions, body?: string) => ask(new URL(path, url).href, options, body),
      note: Queue.take(notes),
      /** Waits until a poll has ended. */
      idle: Effect.raceFirst(Queue.take(waits), failed),
      /** Lets this much time pass, while the server waits for its next poll. */
      pass: (time: "5 minutes" | "20 seconds" | "15 minutes") =>
        Effect.zipRight(Effect.yieldNow(), TestClock.adjust(time)),
    }
  })
