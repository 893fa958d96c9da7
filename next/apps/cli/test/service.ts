/** A local service with fixed responses. */
import { Faults, Reply } from "@vigil/sandbox"
import * as Effect from "effect/Effect"

interface StubResponse {
  readonly status?: number
  readonly body: string
}

/** Starts a service that sends the responses in order, then repeats the last one. Returns its base URL. */
export const service = (...responses: ReadonlyArray<StubResponse>) =>
  Effect.map(
    Faults.serve(responses.map(({ body, status = 200 }) => Reply.text(body, { status }))),
    ({ origin }) => origin,
  )
