/** Local services with fixed responses. */
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

/** Starts a service that responds with the list entries or the status code of each subscription, which tests may change. */
export const subscriptionService = (responses: Readonly<Record<string, ReadonlyArray<unknown> | number>>) =>
  Faults.serve(({ target }) => {
    const [, id = ""] = /subscriptions\/([^/]+)\//.exec(target) ?? []
    const response = responses[decodeURIComponent(id)] ?? 404
    return typeof response === "number"
      ? Reply.text("{}", { status: response })
      : Reply.text(JSON.stringify({ value: response }))
  })
