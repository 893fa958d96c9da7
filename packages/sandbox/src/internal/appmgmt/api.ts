/** The app management API: checks the token and the body, then finds the operation (document, "Authentication", "Endpoints"). */
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as Effect from "effect/Effect"
import type { Accounts } from "../../Accounts.js"
import { part, type Part, type Route } from "../router.js"
import * as errors from "./errors.js"
import { operations } from "./operations.js"
import type { Store } from "./tokens.js"

export interface Options {
  readonly current: Effect.Effect<Accounts>
  readonly change: (f: (accounts: Accounts) => Accounts) => Effect.Effect<void>
  readonly tokens: Store
}

const withBody = new Set(["POST", "PUT", "PATCH"])

export const serves = (target: string): boolean => target.startsWith("/v0.1/")

export const make = ({ change, current, tokens }: Options): Part => ({
  serves,
  app: Effect.gen(function* () {
    const request = yield* HttpServerRequest.HttpServerRequest
    const token = yield* tokens.holder(request.headers["x-api-token"] ?? "")
    if (token === undefined) return yield* errors.unauthorized
    if (withBody.has(request.method)) {
      const text = yield* Effect.catch(request.text, () => errors.tooLarge)
      if (text === "") return yield* errors.lengthRequired
    }
    const context = { accounts: yield* current, change, token }
    const routes = operations.map(({ handle, ...operation }): Route => ({
      ...operation,
      handle: (matched) => handle({ ...matched, ...context }),
    }))
    return yield* part(routes, { unknownPath: errors.unknownPath, wrongMethod: errors.wrongMethod }).app
  }).pipe(Effect.catch(Effect.succeed)),
})
