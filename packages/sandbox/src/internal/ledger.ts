/** What the sandbox remembers of its requests: the last of them, and how many there were at once. */
import type { IncomingMessage, ServerResponse } from "node:http"
import * as Effect from "effect/Effect"
import type { Seen } from "../Seen.js"
import { seen } from "./seen.js"

/** A memory of the last `kept` requests. */
export const make = (kept: number) => {
  const requests: Array<Seen> = []
  let inFlight = 0
  let most = 0
  return {
    /** Notes a request when it arrives, and again when its answer is sent or its client is gone. */
    note: (request: IncomingMessage, response: ServerResponse): void => {
      requests.push(seen(request))
      if (requests.length > kept) requests.shift()
      inFlight += 1
      most = Math.max(most, inFlight)
      response.once("close", () => {
        inFlight -= 1
      })
    },
    requests: Effect.sync((): ReadonlyArray<Seen> => [...requests]),
    mostAtOnce: Effect.sync(() => most),
  }
}
