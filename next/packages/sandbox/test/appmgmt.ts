/** Sends requests to the app management API of a running sandbox. */
import { Sandbox, type Tokens } from "@vigil/sandbox"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { ask } from "./client.js"

/** A response: the body as JSON, or `undefined` without one. */
export interface ApiResponse {
  readonly status: number
  readonly body: unknown
  readonly headers: Headers
}

/** A sandbox with the same time in every test. */
export const start = (options: Sandbox.Options = {}) =>
  Effect.map(Sandbox.make({ now: Date.UTC(2026, 0, 15, 12), ...options }), (sandbox) => {
    const send =
      (token: Redacted.Redacted) =>
      (method: string, path: string, body?: unknown): Effect.Effect<ApiResponse> =>
        ask(`${sandbox.baseUrl}/v0.1${path}`, {
          method,
          headers: { "x-api-token": Redacted.value(token) },
          ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
        }).pipe(
          Effect.map(({ body: text, ...rest }) => ({
            ...rest,
            body: text === "" ? undefined : (JSON.parse(text) as unknown),
          })),
          Effect.orDie,
        )
    /** Sends a request with a new token. */
    const sendAs = (token: Tokens.Options) => Effect.map(sandbox.tokens.create(token), ({ value }) => send(value))
    return { ...sandbox, send: send(sandbox.apiToken), sendWith: send, sendAs }
  })

/** The path of a member of an app. */
export const member = (app: string, email: string): string => `/apps/${app}/users/${encodeURIComponent(email)}`
