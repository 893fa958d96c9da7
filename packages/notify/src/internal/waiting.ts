/** The notifications of an event that wait for a sink: at most two. */
import * as Enumerations from "@vigil/health-schema/Enumerations"
import * as OpenEnum from "@vigil/health-schema/OpenEnum"
import { isClosing, type Notification } from "../Notification.js"
import { cut } from "./cut.js"
import { maxLength } from "./newTexts.js"

export interface Pending {
  readonly notification: Notification
  /** When to deliver it, in milliseconds since 1970. */
  readonly notBefore: number
}

export interface Waiting {
  readonly first: Pending
  /** Only if the first one may have been sent: nothing is added to that one any more. */
  readonly second?: Pending | undefined
  readonly isAttempted: boolean
}

/** Whether a sink has an event open after a notification. `undefined`: the sink does not know the event. */
export const isOpenAfter = (wasOpen: boolean | undefined, { state, status }: Notification): boolean => {
  if (state !== "updated") return !isClosing(state)
  return wasOpen ?? OpenEnum.find(Enumerations.EventStatus, status) !== "Resolved"
}

const joinTexts = (earlier: string, later: string): string => {
  const space = maxLength - later.length - 2
  return later.includes(earlier) || space < 1 ? later : `${cut(earlier, space)}\n\n${later}`
}

/** One notification for two. An update does not hide what happened before it. */
const join = (earlier: Pending, later: Pending): Pending => ({
  notBefore: Math.min(earlier.notBefore, later.notBefore),
  notification: {
    ...later.notification,
    state: later.notification.state === "updated" ? earlier.notification.state : later.notification.state,
    text: joinTexts(earlier.notification.text, later.notification.text),
  },
})

/** No event opens twice: an opening of an open event is an update. */
const adapt = (isOpen: boolean | undefined, pending: Pending): Pending =>
  isOpen === true && pending.notification.state === "opened"
    ? { ...pending, notification: { ...pending.notification, state: "updated" } }
    : pending

/** Adds a notification. `isOpen`: whether the sink has the event open; `undefined` if it does not know the event. */
export const add = (waiting: Waiting | undefined, isOpen: boolean | undefined, pending: Pending): Waiting => {
  if (waiting === undefined) return { first: adapt(isOpen, pending), isAttempted: false }
  const { first, isAttempted, second } = waiting
  if (!isAttempted) return { first: adapt(isOpen, join(first, pending)), isAttempted }
  const last = second === undefined ? pending : join(second, pending)
  return { first, second: adapt(isOpenAfter(isOpen, first.notification), last), isAttempted }
}

/**
 * What to send next. A failed notification is repeated unchanged, because it may have arrived. But a due second one replaces an update, and a
 * resolution or withdrawal replaces anything.
 */
export const next = (waiting: Waiting, isOpen: boolean | undefined, now: number): Waiting => {
  const { first, second } = waiting
  const isReplaced =
    second !== undefined &&
    second.notBefore <= now &&
    (first.notification.state === "updated" || isClosing(second.notification.state))
  return isReplaced
    ? { first: adapt(isOpen, join(first, second)), isAttempted: true }
    : { ...waiting, isAttempted: true }
}

/** What waits after the first one. */
export const rest = ({ second }: Waiting): Waiting | undefined => second && { first: second, isAttempted: false }

/** The notification that was accepted last. */
export const last = ({ first, second }: Waiting): Notification => (second ?? first).notification
