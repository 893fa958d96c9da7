/** The pages that faults are shown on: of events that are as small as events can be. */
import type { Received } from "../../Received.js"
import * as Reply from "../../Reply.js"
import type { Context, Draft } from "./scenario.js"

/** An event, by its tracking id. */
export const event = (name: string, properties: object = {}): object => ({
  id: `/providers/Vendor.ResourceHealth/events/${name}`,
  name,
  type: "/providers/Vendor.ResourceHealth/events",
  properties: {
    eventType: "ServiceIssue",
    eventSource: "ResourceHealth",
    status: "Active",
    title: `The event ${name}`,
    level: "Warning",
    impactStartTime: "2025-06-01T10:00:00Z",
    lastUpdateTime: "2025-06-01T10:30:00.123Z",
    ...properties,
  },
})

/** The page of one event that ends every list of this folder. */
export const last = Reply.page([event("LAST")])

/** The page of one event that begins a list, and its link. */
export const first = (nextLink: string | null): Reply.Reply => Reply.page([event("FIRST")], nextLink)

/** A list whose first page has this link; whatever is asked after it is the last page. */
export const leadingTo =
  (link: (request: Received, context: Context) => string | null): Draft["script"] =>
  (context) =>
  (request, index) =>
    index === 0 ? first(link(request, context)) : last

/** Every request is answered so. */
export const always =
  (...replies: ReadonlyArray<Reply.Reply>): Draft["script"] =>
  () =>
    replies

/** The list, followed to its second page: a link that only adds a `$skipToken`. */
export const second = (request: Received): string => `${request.origin}/second?api-version=2025-05-01&$skipToken=2`

/** The host and port of an origin. */
export const host = (origin: string): string => origin.slice(origin.indexOf("//") + 2)

/** JSON text that no value is written as. */
export const jsonText = (body: string): Reply.Reply =>
  Reply.text(body, { headers: { "content-type": "application/json" } })
