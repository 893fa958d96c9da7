/** The hook by which a test lets requests fail, or wait. */
import { STATUS_CODES } from "node:http"
import type * as HttpApp from "@effect/platform/HttpApp"
import * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import * as Effect from "effect/Effect"
import * as Ref from "effect/Ref"
import type { Seen } from "../Seen.js"
import { nested } from "./answer.js"
import { seen } from "./seen.js"

/**
 * Says how a request fails: with a status (from 400 to 599), or not at all. Where it is an effect, the request waits for it: so
 * a test can hold requests until it has seen enough of them.
 *
 * @category models
 * @since 0.1.0
 */
export type Refuse = (request: Seen) => number | undefined | Effect.Effect<number | undefined>

/** A hook that refuses nothing yet. */
export const make = Effect.map(
  Ref.make<Refuse>(() => undefined),
  (hook) => ({
    set: (refuse: Refuse): Effect.Effect<void> => Ref.set(hook, refuse),
    /** The application behind the hook. */
    before: <E, R>(app: HttpApp.Default<E, R>) =>
      Effect.gen(function* () {
        const request = yield* HttpServerRequest.HttpServerRequest
        const refuse = yield* Ref.get(hook)
        const found = refuse(seen(request))
        const status = Effect.isEffect(found) ? yield* Effect.interruptible(found) : found
        return status === undefined
          ? yield* app
          : yield* nested(
              status,
              (STATUS_CODES[status] ?? "Refused").replaceAll(" ", ""),
              "The sandbox was told to refuse.",
            )
      }),
  }),
)
