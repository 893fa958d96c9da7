/** A service that is not there: answers as a test wants it to, under a clock that moves only when everything waits. */
import { HttpClient, HttpClientError, type HttpClientRequest, HttpClientResponse } from "@effect/platform"
import { Credential, Decoder, type RequestError, ServiceClient } from "@vigil/core-http"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import * as Scheduler from "effect/Scheduler"
import * as TestClock from "effect/TestClock"

export { printed } from "@vigil/testing/Recorder"

/** One request, as it left. */
export interface Asked {
  /** When, in milliseconds of the test's clock. */
  readonly at: number
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: string
  readonly signal: AbortSignal
}

/** What comes of a request: an answer now or later, or a connection that fails. */
export type Answer = Response | Effect.Effect<Response, "lost">

const bodyOf = ({ body }: HttpClientRequest.HttpClientRequest): string =>
  body._tag === "Uint8Array" ? new TextDecoder().decode(body.body) : body._tag === "Raw" ? String(body.body) : ""

/** A service that answers its n-th request (from 1 on) so, and remembers what it was asked. */
export const fake = (answer: (n: number, asked: Asked) => Answer) => {
  const asked: Array<Asked> = []
  const load = { open: 0, most: 0 }
  const http = HttpClient.make((request, _, signal) =>
    Effect.gen(function* () {
      const one: Asked = {
        at: yield* Clock.currentTimeMillis,
        method: request.method,
        url: request.url,
        headers: request.headers,
        body: bodyOf(request),
        signal,
      }
      asked.push(one)
      load.most = Math.max(load.most, ++load.open)
      const response = answer(asked.length, one)
      return HttpClientResponse.fromWeb(request, Effect.isEffect(response) ? yield* response : response)
    }).pipe(
      Effect.ensuring(Effect.sync(() => load.open--)),
      Effect.mapError(
        (cause) => new HttpClientError.RequestError({ request, reason: "Transport", cause: new Error(cause) }),
      ),
    ),
  )
  return { asked, load, http }
}

/** A connection that fails. */
export const lost: Answer = Effect.fail("lost")

/** A success. */
export const ok = () => new Response(`{"ok":true}`)

/** An answer of this status, which asks to wait so long. */
export const status = (code: number, retryAfter?: string) =>
  new Response(null, { status: code, headers: retryAfter === undefined ? {} : { "retry-after": retryAfter } })

/** A body that begins and never ends, and whether it was given up. */
export const endless = () => {
  const given = { up: false }
  const body = new ReadableStream({
    start: (controller) => controller.enqueue(new TextEncoder().encode(`{"ok":`)),
    cancel: () => {
      given.up = true
    },
  })
  return { given, response: () => new Response(body) }
}

/** A client of the fake service, without a credential if no other is given. */
export const clientOf = ({ http }: ReturnType<typeof fake>, options: Partial<ServiceClient.Options> = {}) =>
  ServiceClient.make({
    service: "thing",
    baseUrl: "https://service.example",
    credential: Credential.none,
    ...options,
  }).pipe(Effect.provideService(HttpClient.HttpClient, http))

/** A GET of a thing. */
export const get = (service: ServiceClient.Service, path = "/thing") =>
  service.get({ operation: "Thing.get", url: service.url(path), decode: Decoder.nothing })

/** Lets everything happen that needs no time. */
export const settle: Effect.Effect<void> = Effect.promise(async () => {
  // One turn of the event loop at a time: what each starts is done in the next.
  // oxlint-disable-next-line no-await-in-loop
  for (let turn = 0; turn < 8; turn++) await new Promise((resolve) => setImmediate(resolve))
})

/** The next moment that something sleeps until. */
const next = Effect.gen(function* () {
  const now = yield* Clock.currentTimeMillis
  const later = Array.from(yield* TestClock.sleeps()).filter((at) => at > now)
  return later.length === 0 ? Option.none() : Option.some(Math.min(...later))
})

/** How an effect ends, and when, as time goes from one sleep to the next. Dies where nothing will ever wake it. */
export const drive = <A, E, R>(
  effect: Effect.Effect<A, E, R>,
): Effect.Effect<{ readonly exit: Exit.Exit<A, E>; readonly at: number }, never, R> =>
  Effect.gen(function* () {
    const fiber = yield* Effect.fork(effect)
    for (;;) {
      yield* settle
      const done = yield* Fiber.poll(fiber)
      const now = yield* Clock.currentTimeMillis
      if (Option.isSome(done)) return { exit: done.value, at: now }
      const moment = yield* next
      if (Option.isNone(moment)) {
        yield* Fiber.interruptFork(fiber)
        return yield* Effect.dieMessage("It hangs: nothing is left that would wake it.")
      }
      yield* TestClock.setTime(moment.value)
    }
  })

/** What an effect ends in, a success or an error, and when. */
export const outcome = <A, R>(effect: Effect.Effect<A, RequestError.RequestError, R>) =>
  Effect.gen(function* () {
    const { at, exit } = yield* drive(Effect.either(effect))
    const either = yield* exit
    return { at, either, error: either._tag === "Left" ? either.left : undefined }
  })

/** Runs in a fiber that is interrupted when it has run so many steps, and only then. */
export const interruptedAt = <A, E>(step: number, effect: Effect.Effect<A, E>) =>
  Effect.withFiberRuntime<A, E>((target) => {
    const inner = new Scheduler.MixedScheduler(2_048)
    let steps = 0
    const scheduler: Scheduler.Scheduler = {
      scheduleTask: (task, priority) => inner.scheduleTask(task, priority),
      shouldYield: (fiber) => {
        if (fiber !== target || ++steps !== step) return false
        fiber.unsafeInterruptAsFork(fiber.id())
        return 0
      },
    }
    return Effect.withScheduler(effect, scheduler)
  })
