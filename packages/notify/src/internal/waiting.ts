/** The notifications of an event that wait for a sink: at most two. */
import * as HealthEvent from "@vigil/health-schema/HealthEvent"
import * as Notification from "../Notification.js"

export interface Pending {
  readonly notification: Notification.Notification
  /** When to deliver it, in milliseconds since 1970. */
  readonly notBefore: number
}

export interface Waiting {
  readonly first: Pending
  /** Only if the first one may have been sent: nothing is added to that one any more. */
  readonly second?: Pending | undefined
  readonly isAttempted: boolean
}

/** Whether a sink has an event open. `null`: it may have missed a notification. `undefined`: it does not know the event. */
export type IsOpen = boolean | null | undefined

/** Whether a sink has an event open after a notification. */
export const isOpenAfter = (wasOpen: IsOpen, notification: Notification.Notification): boolean =>
  (notification.state === "updated" ? wasOpen : undefined) ?? !Notification.isOver(notification)

/** One notification for two. */
const join = (earlier: Pending, later: Pending): Pending => ({
  notBefore: Math.min(earlier.notBefore, later.notBefore),
  notification: Notification.join(earlier.notification, later.notification),
})

/** What a notification means to a sink: an event opens once, and an update may open or close it if the sink has missed that. */
const stateFor = (isOpen: IsOpen, notification: Notification.Notification): Notification.State => {
  const { state, status } = notification
  if (isOpen === undefined) return Notification.isOver(notification) ? state : "opened"
  if (state === "opened" || state === "reopened") return isOpen === true ? "updated" : "reopened"
  if (state !== "updated") return state
  if (HealthEvent.isResolvedStatus(status)) return isOpen === false ? state : "resolved"
  return isOpen === true ? state : "reopened"
}

const adapt = (isOpen: IsOpen, { notBefore, notification }: Pending): Pending => ({
  notBefore,
  notification: { ...notification, state: stateFor(isOpen, notification) },
})

/** Adds a notification. `isOpen`: before all that waits. */
export const add = (waiting: Waiting | undefined, isOpen: IsOpen, pending: Pending): Waiting => {
  if (waiting === undefined) return { first: adapt(isOpen, pending), isAttempted: false }
  const { first, isAttempted, second } = waiting
  const after = isOpenAfter(isOpen, first.notification)
  if (!isAttempted) return { first: adapt(isOpen, join(first, adapt(after, pending))), isAttempted }
  if (second === undefined) return { first, second: adapt(after, pending), isAttempted }
  const joined = join(second, adapt(isOpenAfter(after, second.notification), pending))
  return { first, second: adapt(after, joined), isAttempted }
}

/**
 * What to send next. A failed notification is repeated unchanged, because it may have arrived. But a due second one replaces an update, and a
 * resolution or withdrawal replaces anything.
 */
export const next = (waiting: Waiting, isOpen: IsOpen, now: number): Waiting => {
  const { first, second } = waiting
  const isReplaced =
    second !== undefined &&
    second.notBefore <= now &&
    (first.notification.state === "updated" || Notification.isClosing(second.notification.state))
  if (isReplaced) return { first: adapt(isOpen, join(first, second)), isAttempted: true }
  // The one before it may have become a dead letter.
  return { first: waiting.isAttempted ? first : adapt(isOpen, first), second, isAttempted: true }
}

/** What waits after the first one. */
export const rest = ({ second }: Waiting): Waiting | undefined => second && { first: second, isAttempted: false }
