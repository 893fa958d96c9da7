/** The hook by which a test lets requests fail, or wait. */
import { STATUS_CODES } from "node:http"
import type * as HttpApp from "@effect/platform/HttpApp"
import * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import * as Effect from "effect/Effect"
import * as Ref from "effect/Ref"
import type { Seen } from "../Seen.js"
import * as appmgmtApi from "./appmgmt/api.js"
import * as appmgmtRefusals from "./appmgmt/refusals.js"
import { send } from "./errorResponse.js"
import { nested } from "./healthErrors.js"
import { seen } from "./seen.js"

/**
 * How a request fails: with a `status` (from 400 to 599), and with `Retry-After` if `retryAfter` (in seconds) is said.
 *
 * @category models
 * @since 0.1.0
 */
export type Refusal = number | { readonly status: number; readonly retryAfter: number }

/**
 * Says how a request fails, or that it does not. Where it is an effect, the request waits for it: so a test can hold requests until
 * it has seen enough of them.
 *
 * @category models
 * @since 0.1.0
 */
export type Refuse = (request: Seen) => Refusal | undefined | Effect.Effect<Refusal | undefined>

/** In the form of the API that the request is for. */
const answer = (target: string, refusal: Refusal) => {
  const { headers, status } =
    typeof refusal === "number"
      ? { status: refusal, headers: {} }
      : { status: refusal.status, headers: { "retry-after": String(refusal.retryAfter) } }
  return send(
    appmgmtApi.serves(target)
      ? appmgmtRefusals.refused(status, headers)
      : nested(
          status,
          (STATUS_CODES[status] ?? "Refused").replaceAll(" ", ""),
          "The sandbox was told to refuse.",
          headers,
        ),
  )
}

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
        const refusal = Effect.isEffect(found) ? yield* Effect.interruptible(found) : found
        return refusal === undefined ? yield* app : yield* answer(request.url, refusal)
      }),
  }),
)
