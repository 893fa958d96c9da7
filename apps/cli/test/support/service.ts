/** Local services with fixed responses. */
import { Faults, Reply } from "@vigil/sandbox"
import * as Effect from "effect/Effect"

const noIssues = { name: "default", properties: {} }

/** What is of no subscription: no events of the tenant, no emerging issues, and the metadata. */
const ofNoSubscription = (target: string, metadata: ReadonlyArray<unknown>): Reply.Reply | undefined => {
  const path = /^\/providers\/[^/]+\.ResourceHealth\/(?<list>events|emergingIssues|metadata)(?<entry>\/[^?]+)?/i
  const { entry, list } = path.exec(target)?.groups ?? {}
  if (list === undefined) return undefined
  if (list === "emergingIssues") return entry === undefined ? Reply.page([noIssues]) : Reply.json(noIssues)
  return entry === undefined ? Reply.page(list === "metadata" ? metadata : []) : Reply.empty(404)
}

/** Starts a service that replies by the script to requests for subscriptions and resources. Their events are in no other list. */
export const serveSubscriptions = (
  script: Reply.Script,
  { metadata = [], ...options }: Faults.Options & { readonly metadata?: ReadonlyArray<unknown> } = {},
) => {
  let count = 0
  return Faults.serve((request) => {
    const reply = ofNoSubscription(request.target, metadata)
    if (reply !== undefined) return reply
    const index = count++
    return typeof script === "function" ? script(request, index) : (script[index] ?? script.at(-1) ?? Reply.reset)
  }, options)
}

interface StubResponse {
  readonly status?: number
  readonly body: string
}

/** Starts a service that sends the responses in order, then repeats the last one. Returns its base URL. */
export const service = (...responses: ReadonlyArray<StubResponse>) =>
  Effect.map(
    serveSubscriptions(responses.map(({ body, status = 200 }) => Reply.text(body, { status }))),
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
export const subscriptionService = (responses: Responses) =>
  serveSubscriptions(({ target }) => respond(responses, target))

/** Starts a service of the statuses, the events and the impacted resources of subscriptions. Default: all have no events. */
export const resourceService = (statuses: Responses, events?: Responses, impacted: Responses = {}) =>
  serveSubscriptions(({ target }) => {
    if (/availabilityStatuses/.test(target)) return respond(statuses, target)
    if (/listImpactedResources|impactedResources/i.test(target)) return respond(impacted, target)
    return /subscriptions/.test(target) && events !== undefined ? respond(events, target) : Reply.text(`{"value":[]}`)
  })
