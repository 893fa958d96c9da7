/** What the sandbox remembers of its requests: the last of them, and how many there were at once. */
import type * as HttpApp from "@effect/platform/HttpApp"
import * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import * as Effect from "effect/Effect"
import type { Seen } from "../Seen.js"
import { seen } from "./seen.js"

/** A memory of the last `kept` requests. */
export const make = (kept: number) => {
  const requests: Array<Seen> = []
  let inFlight = 0
  let most = 0
  const arrived = (request: Seen): void => {
    requests.push(request)
    if (requests.length > kept) requests.shift()
    inFlight += 1
    most = Math.max(most, inFlight)
  }
  const done = Effect.sync(() => {
    inFlight -= 1
  })
  return {
    /**
     * The application, with its requests noted: as they arrive, and when they are answered or given up. Answered is before the
     * answer is sent, or the next request of a client could be taken for a second one at the same time.
     */
    of: <E, R>(app: HttpApp.Default<E, R>) =>
      Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) => {
        arrived(seen(request))
        return Effect.ensuring(app, done)
      }),
    requests: Effect.sync((): ReadonlyArray<Seen> => [...requests]),
    mostAtOnce: Effect.sync(() => most),
  }
}
