/** The metrics of a fleet with one sink, which needs no database. */
import { families } from "../../src/serve/FleetMetrics.js"
import * as MetricsText from "../../src/serve/MetricsText.js"

const sink = { name: "chat", pending: 1, oldestAt: new Date(0), error: null, deadLetters: 1, isServed: true }

const polls = { failing: 0, throttled: 0, late: 0, lag: 0, lastPollAt: null, refused: 0 }

const counts = { ...polls, subscriptions: 1, paused: 0, claimAge: 1 }

export const fleetMetrics = MetricsText.render(families({ ...counts, runners: [], sinks: [sink] }, 1_000))

/** Of a fleet that no runner of works, with polls that are late and fail. */
export const failingFleetMetrics = MetricsText.render(
  families({ ...counts, failing: 1, lag: 1_000, claimAge: 1_000, runners: [], sinks: [sink] }, 1_000),
)
