/** The stable ID of an event in URLs and the calendar. */
import { createHash } from "node:crypto"
import * as HealthEvent from "@vigil/health-schema/HealthEvent"
import type { AnyEvent } from "../events/AnyEvent.js"

const maxLength = 100

const safe = (key: string): string => {
  const id = encodeURIComponent(key.replace(/\p{Cs}/gu, "\ufffd"))
  return id.length > maxLength ? createHash("sha256").update(key).digest("hex") : id
}

/** The escaped tracking ID in lower case, else the `id` of the record; `undefined` without both. Accepts invalid entries. */
export const make = (event: unknown): string | undefined => {
  const key = HealthEvent.eventKey(event)
  return key === undefined ? undefined : safe(key)
}

/** The ID for a path segment, which is an ID or an escaped tracking ID in any letter case. */
export const fromPath = (segment: string): string => {
  try {
    return safe(decodeURIComponent(segment).toLowerCase())
  } catch {
    // Invalid escapes. No event has this ID.
    return ""
  }
}

/** The events by ID, in order. Events without an ID are left out, and so are further ones with the same ID. */
export const index = (events: ReadonlyArray<AnyEvent>): ReadonlyMap<string, AnyEvent> => {
  const all = new Map<string, AnyEvent>()
  for (const event of events) {
    const id = make(event)
    if (id !== undefined && !all.has(id)) all.set(id, event)
  }
  return all
}
