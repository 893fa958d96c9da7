/** What the named faults are made of: their definition, their pages, and scripts that many of them share. */
import * as Reply from "../../Reply.js"

/** What a script is made for. */
interface Context {
  /** The origin of another server, which must not receive a credential. */
  readonly foreign: string
  /** The time at which the fault starts, in milliseconds since 1970. */
  readonly now: number
}

/** A fault, without its name. */
export interface Fault {
  /** Its row of the list of faults. */
  readonly row: number
  /** What the server does, in one sentence. */
  readonly what: string
  /** Whether it is served over TLS. */
  readonly tls: boolean
  /** Whether the server has stopped before the first request. */
  readonly stopped: boolean
  /** A new script for every start: it may have state. */
  readonly script: (context: Context) => Reply.Script
}

/** Faults by name. */
export type Faults = Readonly<Record<string, Fault>>

/** A fault of a server. */
export const fault = (
  row: number,
  what: string,
  script: Fault["script"],
  { stopped = false, tls = false }: { readonly stopped?: boolean; readonly tls?: boolean } = {},
): Fault => ({ row, what, tls, stopped, script })

/** A minimal event. */
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

/** The page that ends a list. */
export const last = Reply.page([event("LAST")])

/** The page that begins a list, and its link. */
export const first = (nextLink: string | null): Reply.Reply => Reply.page([event("FIRST")], nextLink)

/** The link to a second page that only adds a `$skipToken`. */
export const second = "{own}/second?api-version=2025-05-01&$skipToken=2"

/**
 * A URL from a template: `{own}` is the origin of the server, `{foreign}` the origin of the other server, and `{own.host}`,
 * `{own.port}` and so on are parts of them.
 */
export const fill = (template: string, own: string, foreign: string): string =>
  template.replaceAll(
    /\{(own|foreign)(?:\.(host|port))?\}/g,
    (_, server: string, part: "host" | "port" | undefined) => {
      const url = new URL(server === "own" ? own : foreign)
      return url[part ?? "origin"]
    },
  )

/** Answers the first request with a page that has this link (a template), and later requests with these replies. */
export const leadsTo =
  (link: string | null, ...then: ReadonlyArray<Reply.Reply>): Fault["script"] =>
  ({ foreign }) =>
  ({ origin }, index) =>
    index === 0 ? first(link === null ? null : fill(link, origin, foreign)) : (then[index - 1] ?? then.at(-1) ?? last)

/** Answers every request with the next of these replies; the last one is repeated. */
export const always =
  (...replies: ReadonlyArray<Reply.Reply>): Fault["script"] =>
  () =>
    replies

/** A JSON error response. */
export const error = (
  status: number,
  code: string,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): Reply.Reply => Reply.json({ code, message }, { status, headers })
