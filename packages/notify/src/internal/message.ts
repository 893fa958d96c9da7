/** The parts of a message for people, which chats have in common. */
import * as Result from "effect/Result"
import * as Option from "effect/Option"
import * as Origin from "@vigil/core-http/Origin"
import { type Level, type Notification, type State } from "../Notification.js"
import { clean, cut, singleLine } from "./fit.js"

const words: Readonly<Record<State, string>> = {
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

export const headline = ({ state, title }: Notification): string =>
  [words[state], singleLine(cut(title, maxTitle))].filter((text) => text !== "").join(": ")

export const severity = ({ level }: Notification): string => severities[level]

/** At most ten, none of them empty. */
export const facts = (notification: Notification) =>
  [
    ["Level", notification.level],
    ["Type", notification.type],
    ["Status", notification.status],
    ["Services", notification.services.join(", ")],
    ["Regions", notification.regions.join(", ")],
    ["Started", notification.startedAt],
    ["Updated", notification.updatedAt],
    ["Ended", notification.endedAt],
    ["Tracking ID", notification.trackingId],
    ["Subscription", notification.subscription],
  ].flatMap(([name, text]) => {
    const value = singleLine(cut(text ?? "", maxTitle))
    return name && value ? [{ name, value }] : []
  })

/** The link as a URL of the web. A longer URL is left out, because a cut one would lead elsewhere. */
export const webLink = ({ link }: Notification, limit: number): string | undefined =>
  Option.fromNullishOr(link).pipe(
    Option.flatMap((link) => Result.getSuccess(Origin.parseHttp(clean(link)))),
    Option.map(({ href }) => href),
    Option.filter(({ length }) => length <= limit),
    Option.getOrUndefined,
  )
