/** The app management API: checks the token and the body, then finds the operation (document, "Authentication", "Endpoints"). */
import * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import * as Effect from "effect/Effect"
import type { Accounts } from "../../Accounts.js"
import { send } from "../errorResponse.js"
import * as route from "../route.js"
import * as body from "./body.js"
import { operations } from "./operations.js"
import * as refusals from "./refusals.js"
import type { Store } from "./tokens.js"

/** What the API is served with. */
export interface Options {
  readonly current: Effect.Effect<Accounts>
  readonly change: (f: (accounts: Accounts) => Accounts) => Effect.Effect<void>
  readonly tokens: Store
}

/** The methods that need a body (document, "Endpoints", rule 1). */
const withBody = new Set(["POST", "PUT", "PATCH"])

/** Whether a request target belongs to this API (document, "Versioning"). */
export const serves = (target: string): boolean => target.startsWith("/v0.1/")

/** Answers a request that `serves` accepts. */
export const app = ({ change, current, tokens }: Options) =>
  Effect.gen(function* () {
    const request = yield* HttpServerRequest.HttpServerRequest
    const token = yield* tokens.holder(request.headers["x-api-token"] ?? "")
    if (token === undefined) return yield* refusals.unauthorized
    const text = withBody.has(request.method)
      ? yield* Effect.orElse(body.read(request), () => refusals.tooLarge)
      : undefined
    if (text === "") return yield* refusals.lengthRequired
    const found = route.find(operations, request.method, request.url)
    if (found._tag === "UnknownPath") return yield* refusals.unknownPath
    if (found._tag === "WrongMethod") return yield* refusals.wrongMethod(found.allow)
    const { params } = found
    const accounts = yield* current
    return yield* found.route.answer({ accounts, change, token, params, target: request.url, body: text ?? "" })
  }).pipe(send)
