/** How long facts say something about now. Times are in milliseconds since 1970. */
import * as Moment from "@vigil/health-text/Moment"
import type { Evidence } from "../Evidence.js"

export const hour = 3_600_000

/** How long a status says something about now. */
const fresh = 24 * hour

/** Whether the service said it in the last 24 hours. */
export const isFresh = (at: number | undefined, now: number): boolean =>
  at !== undefined && now - at <= fresh && !Moment.isFuture(at, now)

/** How long what ended may still explain a state: services show recently resolved problems for 24 hours. */
const recent = 24 * hour

/** An own action, such as a restart, and an issue that only may concern the resource, explain less. */
const windowOf = ({ cause, subject }: Pick<Evidence, "cause" | "subject">): number =>
  cause === "customer" ? hour / 2 : subject === "region" ? hour : recent

export const isRecent = (until: number | undefined, now: number, window = recent): boolean =>
  until === undefined || until > now - window

/** Whether it may explain a state of now. */
export const counts = (evidence: Evidence, now: number): boolean =>
  evidence.phase !== "ended" || isRecent(evidence.until, now, windowOf(evidence))
