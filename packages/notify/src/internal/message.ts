/** The parts of a message for people, which chats have in common. */
import * as Result from "effect/Result"
import * as Origin from "@vigil/core-http/Origin"
import { type Level, type Notification, type State } from "../Notification.js"
import * as SafeText from "@vigil/health-text/SafeText"

const words: Readonly<Record<State, string>> = {
  summary: "",
  opened: "New",
  updated: "Update",
  resolved: "Resolved",
  reopened: "Reopened",
  withdrawn: "Withdrawn",
}

/** Severities of PagerDuty, and by convention of Prometheus. */
const severities: Readonly<Record<Level, string>> = {
  Critical: "critical",
  Error: "error",
  Warning: "warning",
  Informational: "info",
}

const maxTitle = 4_000

/** Services begin titles with the status, which is said before them. */
const statusWord = /^(?:active|mitigated|mitigating|new|reopened|resolved|updated?)\s*[:–—-]\s+/i

export const titleOf = ({ title }: Notification): string =>
  SafeText.line(SafeText.cut(title, maxTitle)).replace(statusWord, "")

export const headline = (notification: Notification): string =>
  [words[notification.state], titleOf(notification)].filter((text) => text !== "").join(": ")

/** A time for people, to the minute. */
export const minute = (time: string): string =>
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:/.test(time) ? `${time.slice(0, 16).replace("T", " ")} UTC` : time

export const severity = ({ level }: Notification): string => severities[level]

/** The name of the subscription and its ID. Several subscriptions may have the same name. */
export const subscriptionOf = ({ subscription, subscriptionName: name }: Notification): string => {
  if (name === undefined || subscription === null) return name ?? subscription ?? ""
  return name.includes(subscription) ? name : `${name} (${subscription})`
}

/** At most ten, none of them empty. */
export const facts = (notification: Notification) =>
  [
    ["Level", notification.level],
    ["Type", notification.type],
    ["Status", notification.status],
    ["Services", notification.services.join(", ")],
    ["Regions", notification.regions.join(", ")],
    ["Started", minute(notification.startedAt ?? "")],
    ["Updated", minute(notification.updatedAt ?? "")],
    ["Ended", minute(notification.endedAt ?? "")],
    ["Tracking ID", notification.trackingId],
    ["Subscription", subscriptionOf(notification)],
  ].flatMap(([name, text]) => {
    const value = SafeText.line(SafeText.cut(text ?? "", maxTitle))
    return name && value ? [{ name, value }] : []
  })

/** The link as a URL of the web. A longer URL is left out, because a cut one would lead elsewhere. */
export const webLink = ({ link }: Notification, limit: number): string | undefined => {
  const url = Result.getOrUndefined(Origin.parseHttp(SafeText.lines(link ?? "")))
  return url !== undefined && url.href.length <= limit ? url.href : undefined
}
