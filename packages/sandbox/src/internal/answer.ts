/** How the health events service answers: with JSON, and says no in the document's flat form or the gateway's nested one. */
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import * as Effect from "effect/Effect"

/** An answer on its way. */
export type Answer = Effect.Effect<HttpServerResponse.HttpServerResponse>

/** JSON that is known to be JSON. */
export const json = (body: unknown, status = 200, headers: Readonly<Record<string, string>> = {}) =>
  Effect.orDie(HttpServerResponse.json(body, { status, headers }))

/** The health service itself says no (document, "Errors"). */
export const flat = (status: number, code: string, message: string) => json({ code, message }, status)

/** The gateway in front of the health service says no (field notes, "Errors"). */
export const nested = (status: number, code: string, message: string, headers: Readonly<Record<string, string>> = {}) =>
  json({ error: { code, message } }, status, headers)
