/** One message for the openings of several events: a sink that is new gets no flood. */
import * as Arr from "effect/Array"
import { levelRank, type Notification } from "../Notification.js"
import { type as resourceType } from "../ResourceNotification.js"
import * as SafeText from "@vigil/health-text/SafeText"
import { hash } from "./fields.js"
import { minute, titleOf } from "./message.js"

/** How many events a summary describes. The others are counted. */
const maxDescribed = 5

const limits = { title: 300, place: 200 }

/** Such as `2 Critical, 1 Warning`. The most severe level is first. */
const countLevels = (notifications: ReadonlyArray<Notification>): string =>
  Object.entries(Arr.groupBy(notifications, ({ level }) => level))
    .map(([level, { length }]) => `${length} ${level}`)
    .join(", ")

const describe = (notification: Notification): string => {
  const { level, link, regions, startedAt, trackingId } = notification
  const facts = [
    trackingId,
    SafeText.cut(regions.join(", "), limits.place),
    startedAt === null ? "" : `since ${minute(startedAt)}`,
  ]
  const known = facts.filter((text) => text !== "").join(", ")
  return `- ${level}: ${SafeText.cut(titleOf(notification), limits.title)}${known === "" ? "" : ` (${known})`}${link === null ? "" : ` ${link}`}`
}

/** Counts the events by type and level, and describes the five most severe ones, the latest first. `now`: in milliseconds since 1970. */
export const make = (notifications: ReadonlyArray<Notification>, now: number): Notification => {
  const sorted = notifications.toSorted(
    (one, other) =>
      levelRank(one.level) - levelRank(other.level) || (other.startedAt ?? "").localeCompare(one.startedAt ?? ""),
  )
  const described = sorted.slice(0, maxDescribed)
  const [first] = described
  const types = Object.entries(Arr.groupBy(sorted, ({ type }) => type || "Other"))
  const subscriptions = [...new Set(sorted.map(({ subscription }) => subscription ?? ""))]
  const others = sorted.length - described.length
  const isOfResources = types.every(([type]) => type === resourceType)
  const text = [
    types.map(([type, events]) => `${type}: ${countLevels(events)}`).join("\n"),
    described.map(describe).join("\n"),
    others === 0 ? "" : `And ${others} more. Each one that changes is sent in a message of its own.`,
    isOfResources ? "" : "Only events that were updated in the period of the watch (default: 90 days) are counted.",
  ]
  const content = {
    state: "summary",
    level: first?.level ?? "Informational",
    trackingId: "",
    type: types.length === 1 ? (first?.type ?? "") : "",
    status: "Active",
    title: `${sorted.length} ${isOfResources ? "resources not available" : "active events"}: ${countLevels(sorted)}`,
    services: [...new Set(described.flatMap(({ services }) => services))].slice(0, 100),
    regions: [...new Set(described.flatMap(({ regions }) => regions))].slice(0, 100),
    subscription: subscriptions.length === 1 ? (subscriptions[0] ?? null) : null,
    ...(subscriptions.length === 1 && first?.subscriptionName && { subscriptionName: first.subscriptionName }),
    startedAt: null,
    updatedAt: new Date(now).toISOString(),
    endedAt: null,
    link: first?.link ?? null,
    text: text.filter((part) => part !== "").join("\n\n"),
  } as const
  const id = `summary-${hash(JSON.stringify([content, sorted.map(({ id }) => id)]))}`
  return { id, key: id, ...content }
}
