/** The app management API: checks the token and the body, then finds the operation (document, "Authentication", "Endpoints"). */
import * as Effect from "effect/Effect"
import type { Accounts } from "../../Accounts.js"
import { part, type Part } from "../router.js"
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

export const make = ({ change, current, tokens }: Options): Part =>
  part({
    routes: operations,
    serves,
    before: (request) =>
      Effect.gen(function* () {
        const token = yield* tokens.holder(request.headers["x-api-token"] ?? "")
        if (token === undefined) return yield* errors.unauthorized
        const needsBody = withBody.has(request.method)
        const text = needsBody ? yield* Effect.catch(request.text, () => errors.tooLarge) : ""
        if (needsBody && text === "") return yield* errors.lengthRequired
        return { accounts: yield* current, change, token, text }
      }),
    unknownPath: errors.unknownPath,
    wrongMethod: errors.wrongMethod,
  })
