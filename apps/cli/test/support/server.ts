/** Runs `vigil serve` in the test process. */
import { type IncomingHttpHeaders, type IncomingMessage, request as requestOf, type RequestOptions } from "node:http"
import * as SubscriptionId from "@vigil/health-client/SubscriptionId"
import type { Snapshot } from "@vigil/health-report/Snapshot"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Queue from "effect/Queue"
import * as TestClock from "effect/testing/TestClock"
import * as Cli from "../../src/Cli.js"
import { Output } from "../../src/output/Output.js"
import * as Handler from "../../src/serve/Handler.js"
import * as State from "../../src/serve/State.js"
import * as SubscriptionNames from "../../src/settings/SubscriptionNames.js"
import { emptyInput } from "./run.js"

/** The only subscription of states in tests. */
export const subject = SubscriptionId.make("x")

/** The state before the first poll. */
export const firstState = State.initial(0, [{ subject, name: undefined, isRequired: true }])

/** The state after a poll that read these events in 1.5 seconds, or failed. */
export const stateAfter = (
  state: State.State,
  { events, from, now }: Pick<Snapshot, "events" | "from" | "now">,
  { duration = 1_500, problem, startedAt = 0 }: { duration?: number; problem?: string; startedAt?: number } = {},
): State.State => {
  const list = { ...State.noEvents, subject, events, readAt: now, problem, error: problem }
  return State.next(state, { at: now, startedAt, from, duration }, list)
}

/** Responds with a state, as if the clock stood still. */
export const handlerOf = (state: () => State.State, { names = SubscriptionNames.make([]), now = 0 } = {}) =>
  Handler.make({
    access: { isLoopback: true, token: undefined },
    names,
    state,
    now: () => now,
    every: 300_000,
    families: () => [],
    isStored: () => true,
    version: "0.0.0",
    period: "",
  })

export interface TextResponse {
  readonly status: number | undefined
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

/** Sends a request, and returns when the headers of the response arrive. */
const open = (url: string, options: RequestOptions = {}, body?: string): Effect.Effect<IncomingMessage> =>
  Effect.callback((resume) => {
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

export const send = (url: string, options?: RequestOptions, body?: string): Effect.Effect<TextResponse> =>
  Effect.flatMap(open(url, options, body), (response) =>
    Effect.map(
      Effect.promise(() => read(response)),
      (text) => ({ status: response.statusCode, headers: response.headers, text }),
    ),
  )

/** Starts `vigil serve` on a free port. It stops when the scope closes. */
export const startServer = (...args: ReadonlyArray<string>) =>
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
      emptyInput,
      Effect.forkScoped,
    )
    const failed = Effect.flatMap(Fiber.join(fiber), (code) => Effect.die(`The server ended with ${code}.`))
    const url = yield* Effect.raceFirst(Deferred.await(urls), failed)
    // The first note explains how to use the server.
    const introduction = yield* Queue.take(notes)
    return {
      fiber,
      introduction,
      url,
      get: (path: string, options?: RequestOptions, body?: string) => send(new URL(path, url).href, options, body),
      note: Queue.take(notes),
      /** Waits until as many polls have ended as lists are named: those of subscriptions, of the tenant and of everyone. */
      idle: Effect.raceFirst(Queue.takeN(waits, Math.max(1, args.filter((arg) => arg === "-s").length) + 2), failed),
      /** Waits until one poll has ended. */
      polled: Effect.raceFirst(Queue.take(waits), failed),
      /** Advances the clock while the server waits for its next poll. */
      pass: (time: "5 minutes" | "20 seconds" | "90 seconds") =>
        Effect.andThen(Effect.yieldNow, TestClock.adjust(time)),
    }
  })
