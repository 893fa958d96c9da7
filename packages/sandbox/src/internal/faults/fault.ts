/** The definition of a named fault, and the pages and scripts that many faults share. */
import type * as Effect from "effect/Effect"
import * as Reply from "../../Reply.js"

/** A fault, without its name. */
export interface Fault {
  /** A number that faults of one kind share. Tests select faults by it. */
  readonly row: number
  /** What the server does, in one sentence. */
  readonly description: string
  /** Whether it is served over TLS. */
  readonly tls: boolean
  /** Whether the server stops before the first request. */
  readonly stopped: boolean
  /** Makes a new script, which may have state. `foreign` is the other origin, `now` the start in milliseconds since 1970. */
  readonly script: (context: { readonly foreign: string; readonly now: number }) => Reply.Script
}

export type Faults = Readonly<Record<string, Fault>>

export const fault = (row: number, description: string, script: Fault["script"]): Fault => ({
  row,
  description,
  tls: false,
  stopped: false,
  script,
})

/** A fault that sends these replies in order, the last one repeated. */
export const replies = (
  row: number,
  description: string,
  ...replies: ReadonlyArray<Reply.Reply | Effect.Effect<Reply.Reply>>
): Fault => fault(row, description, () => replies)

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

export const last = Reply.page([event("LAST")])

export const first = (nextLink: string | null, events: ReadonlyArray<object> = [event("FIRST")]): Reply.Reply =>
  Reply.page(events, nextLink)

export const second = "{own}/second?api-version=2025-05-01&$skipToken=2"

/** Fills a URL template: `{own}` and `{foreign}` are origins of servers; `{own.host}`, `{own.port}` and so on are parts of them. */
export const fill = (template: string, own: string, foreign: string): string =>
  template.replaceAll(
    /\{(own|foreign)(?:\.(host|port))?\}/g,
    (_, server: string, part: "host" | "port" | undefined) => {
      const url = new URL(server === "own" ? own : foreign)
      return url[part ?? "origin"]
    },
  )

export const error = (
  status: number,
  code: string,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): Reply.Reply => Reply.json({ code, message }, { status, headers })
