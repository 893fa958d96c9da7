/** Local services with fixed responses. */
import { Faults, Reply } from "@vigil/sandbox"
import * as Effect from "effect/Effect"

const noIssues = { name: "default", properties: {} }

/** What the service has of no subscription: entries, or a reply such as `Reply.silent`. Default: none. */
export interface Shared {
  readonly tenant?: ReadonlyArray<unknown> | Reply.Reply
  readonly emergingIssues?: ReadonlyArray<unknown> | Reply.Reply
  /** The impacted resources of each event of the tenant. */
  readonly impactedOfTenant?: ReadonlyArray<unknown>
  readonly metadata?: ReadonlyArray<unknown>
}

const pageOf = (list: ReadonlyArray<unknown> | Reply.Reply): Reply.Reply =>
  "end" in list ? list : Reply.page([...list])

const ofNoSubscription = (
  target: string,
  { emergingIssues = [noIssues], impactedOfTenant = [], metadata = [], tenant = [] }: Shared,
) => {
  const path = /^\/providers\/[^/]+\.ResourceHealth\/(?<list>events|emergingIssues|metadata)(?<entry>\/[^?]+)?/i
  const { entry, list } = path.exec(target)?.groups ?? {}
  if (list === undefined) return undefined
  if (list === "emergingIssues" && entry !== undefined) return Reply.json(noIssues)
  if (entry !== undefined) return entry.endsWith("mpactedResources") ? pageOf(impactedOfTenant) : Reply.empty(404)
  return pageOf({ emergingIssues, events: tenant, metadata }[list] ?? [])
}

/** Starts a service that replies by the script to requests for subscriptions and resources. Their events are in no other list. */
export const serveSubscriptions = (script: Reply.Script, { tls, ...shared }: Faults.Options & Shared = {}) => {
  let count = 0
  return Faults.serve(
    (request) => {
      const reply = ofNoSubscription(request.target, shared)
      if (reply !== undefined) return reply
      const index = count++
      return typeof script === "function" ? script(request, index) : (script[index] ?? script.at(-1) ?? Reply.reset)
    },
    { tls },
  )
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
export const resourceService = (
  statuses: Responses,
  events?: Responses,
  impacted: Responses = {},
  shared: Shared = {},
) =>
  serveSubscriptions(({ target }) => {
    if (/availabilityStatuses/.test(target)) return respond(statuses, target)
    if (/listImpactedResources|impactedResources/i.test(target)) return respond(impacted, target)
    return /subscriptions/.test(target) && events !== undefined ? respond(events, target) : Reply.text(`{"value":[]}`)
  }, shared)
