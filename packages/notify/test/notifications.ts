/** Notifications and routes for tests. */
import { type Notification, Routes } from "@vigil/notify"
import * as Result from "effect/Result"

/** A notification of a critical service issue, with other fields if given. */
export const notification = (fields: Partial<Notification.Notification> = {}): Notification.Notification => {
  const { key = "ab12", state = "opened" } = fields
  return {
    id: `${key}-${state}`,
    key,
    state,
    level: "Critical",
    trackingId: key.toUpperCase(),
    type: "ServiceIssue",
    status: "Active",
    title: "Storage: 503 responses",
    services: ["Storage"],
    regions: ["West Europe", "East US"],
    subscription: "s1",
    startedAt: "2026-03-10T11:00:00.000Z",
    updatedAt: "2026-03-10T12:00:00.000Z",
    endedAt: null,
    link: null,
    text: "Requests fail.",
    ...fields,
  }
}

/** Routes of a document as JSON. */
export const routesOf = (document: unknown): Routes.Routes => Result.getOrThrow(Routes.parse(JSON.stringify(document)))

/** A notification with an ID, and a text that is its ID. */
export const note = (
  id: string,
  state: Notification.State,
  fields: Partial<Notification.Notification> = {},
): Notification.Notification => notification({ id, state, text: id, ...fields })

/** The states and texts of notifications. */
export const texts = (received: ReadonlyArray<Notification.Notification>) =>
  received.map(({ state, text }) => [state, text])
