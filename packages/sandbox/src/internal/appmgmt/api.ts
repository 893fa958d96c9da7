/** The app management API: its token, its bodies, its operations (document, "Authentication", "Endpoints"). */
import * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { Accounts } from "../../Accounts.js"
import * as body from "./body.js"
import { operations } from "./operations.js"
import * as path from "../path.js"
import * as refusals from "./refusals.js"
import type { Store } from "./tokens.js"

/** What the API is served with. */
export interface Options {
  readonly current: Effect.Effect<Accounts>
  readonly change: (f: (accounts: Accounts) => Accounts) => Effect.Effect<void>
  readonly tokens: Store
}

/** Where it stands (document, "Versioning"). */
const prefix = "/v0.1"

/** The methods that need a body (document, "Endpoints", rule 1). */
const withBody = new Set(["POST", "PUT", "PATCH"])

/** Whether a request target is of this API. */
export const serves = (target: string): boolean => target.startsWith(`${prefix}/`)

/** Answers a request: the token is looked at first, then whether there is a body, then all else. */
export const app = ({ change, current, tokens }: Options) =>
  Effect.gen(function* () {
    const request = yield* HttpServerRequest.HttpServerRequest
    const token = yield* tokens.holder(request.headers["x-api-token"] ?? "")
    if (token === undefined) return yield* refusals.unauthorized
    const said = withBody.has(request.method) ? yield* body.read(request) : Option.none()
    if (Option.contains(said, "")) return yield* refusals.lengthRequired
    const accounts = yield* current
    const asked = path.ofTarget(request.url).slice(prefix.length)
    const method = request.method === "HEAD" ? "GET" : request.method
    for (const operation of operations) {
      const params = operation.method === method ? path.match(operation.path, asked) : undefined
      if (params !== undefined) return yield* operation.answer({ accounts, change, token, params, body: said })
    }
    return yield* refusals.noSuchPath
  })
