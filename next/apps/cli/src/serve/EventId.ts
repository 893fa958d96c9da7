/** The stable ID of an event in the calendar. */
import { createHash } from "node:crypto"
import * as HealthEvent from "@vigil/health-schema/HealthEvent"

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
