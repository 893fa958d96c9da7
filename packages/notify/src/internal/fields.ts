/** The fields of notifications: their limits, times, keys and IDs. */
import * as SafeText from "@vigil/health-text/SafeText"
import * as Timestamp from "@vigil/health-schema/Timestamp"
import * as DateTime from "effect/DateTime"
import * as Hash from "effect/Hash"
import * as Option from "effect/Option"

/** The longest texts and lists, so that notifications that wait have a bounded size. */
export const limits = {
  key: 200,
  title: 1_000,
  trackingId: 200,
  type: 100,
  status: 100,
  name: 200,
  names: 100,
  text: 4_000,
}

export const time = (timestamp: Timestamp.Timestamp | null | undefined): string | null =>
  Option.getOrNull(Option.map(Timestamp.instant(timestamp), DateTime.formatIso))

/** 16 hexadecimal digits. */
export const hash = (text: string): string =>
  [text, `${text.length}${text}`].map((part) => (Hash.string(part) >>> 0).toString(16).padStart(8, "0")).join("")

/** Cuts a key. Different keys stay different: a hash replaces the end. */
export const fitKey = (key: string, limit: number): string =>
  key.length <= limit ? SafeText.cut(key, limit) : `${SafeText.cut(key, limit - 17)}-${hash(key)}`

/** The same content has the same ID. A signature joins the ID, a time and a body by full stops (Standard Webhooks). */
export const idOf = (key: string, state: string, content: string): string => {
  const name = encodeURIComponent(key.replace(/\p{Cs}/gu, ""))
    .replaceAll(".", "%2E")
    .slice(0, 80)
  return `${name}-${state}-${hash(content)}`
}

/** The name of a subscription, if there is one. */
export const named = (subscriptionName: string | undefined) =>
  subscriptionName ? { subscriptionName: SafeText.cut(SafeText.line(subscriptionName), limits.name) } : {}
