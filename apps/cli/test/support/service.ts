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

type Responses = Readonly<Record<string, ReadonlyArray<unknown> | number>>

const respond = (responses: Responses, target: string) => {
  const [, id = ""] = /subscriptions\/([^/]+)\//.exec(target) ?? []
  const response = responses[decodeURIComponent(id)] ?? 404
  return typeof response === "number"
    ? Reply.text("{}", { status: response })
    : Reply.text(JSON.stringify({ value: response }))
}

/** Starts a service that responds with the list entries or the status code of each subscription, which tests may change. */
export const subscriptionService = (responses: Responses) => Faults.serve(({ target }) => respond(responses, target))

/** Starts a service of the statuses, the events and the impacted resources of subscriptions. Default: all have no events. */
export const resourceService = (statuses: Responses, events?: Responses, impacted: Responses = {}) =>
  Faults.serve(({ target }) => {
    if (/availabilityStatuses/.test(target)) return respond(statuses, target)
    if (/listImpactedResources|impactedResources/i.test(target)) return respond(impacted, target)
    return /subscriptions/.test(target) && events !== undefined ? respond(events, target) : Reply.text(`{"value":[]}`)
  })
