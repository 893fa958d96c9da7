/** A service on loopback that answers as a test wants it to. */
import { Faults, Reply } from "@vigil/sandbox"
import * as Effect from "effect/Effect"

interface Answer {
  readonly status?: number
  readonly body: string
}

/** The base URL of a service that gives these answers, one after the other, and then the last again and again. */
export const service = (...answers: ReadonlyArray<Answer>) =>
  Effect.map(
    Faults.serve(answers.map(({ body, status = 200 }) => Reply.text(body, { status }))),
    ({ origin }) => origin,
  )
