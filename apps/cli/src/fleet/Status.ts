/** `vigil fleet status`: the runners, polls and deliveries of a fleet, or its subscriptions. */
import type * as FleetStatus from "@vigil/health-fleet/Status"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as Command from "../command/Command.js"
import { CommandError } from "../command/CommandError.js"
import * as Flag from "../flags/Flag.js"
import * as Format from "../output/Format.js"
import { plural } from "../output/Output.js"
import type * as Printable from "../output/Printable.js"
import * as Table from "../output/Table.js"
import * as Settings from "../settings/Settings.js"
import * as Problems from "./Problems.js"
import * as Database from "./shared/Database.js"

const iso = (date: Date | null): string | null => date && date.toISOString()

const second = (date: Date | null): string => (date === null ? "" : Problems.second(date))

const paragraph = (lines: ReadonlyArray<string>): ReadonlyArray<string> => (lines.length === 0 ? [] : ["", ...lines])

const section = (
  columns: ReadonlyArray<Table.Column>,
  rows: ReadonlyArray<ReadonlyArray<string>>,
  width: number | undefined,
): ReadonlyArray<string> => (rows.length === 0 ? [] : paragraph(Table.render(columns, rows, width).lines))

const lines = (status: FleetStatus.Status, width: number | undefined): ReadonlyArray<string> => [
  `${plural(status.subscriptions, "subscription")}: ${status.paused} paused, ${status.failing} failing${status.throttled === 0 ? "" : ` (${status.throttled} throttled)`}, ${status.late} late${status.late === 0 ? "" : ` by up to ${Math.ceil(status.lag)} s`}`,
  `Last poll: ${status.lastPollAt === null ? "none" : `${second(status.lastPollAt)} UTC`}`,
  `Rejected polls of runners that had lost their claim: ${status.refused}`,
  ...section(
    [
      { heading: "RUNNER", minWidth: 12 },
      { heading: "SUBSCRIPTIONS" },
      { heading: "STARTED (UTC)", hideOrder: 1 },
      { heading: "LAST SEEN (UTC)" },
      { heading: "STATE" },
    ],
    status.runners.map(({ isAlive, name, problem, seenAt, startedAt, subscriptions }) => [
      name,
      String(subscriptions),
      second(startedAt),
      second(seenAt),
      isAlive ? (problem === null ? "alive" : "blocked") : "lost",
    ]),
    width,
  ),
  ...section(
    [
      { heading: "SINK", minWidth: 8 },
      { heading: "PENDING" },
      { heading: "OLDEST (UTC)" },
      { heading: "DEAD LETTERS" },
      { heading: "ERROR", minWidth: 16 },
    ],
    status.sinks.map(({ deadLetters, error, name, oldestAt, pending }) => [
      name,
      String(pending),
      second(oldestAt),
      String(deadLetters),
      error ?? "",
    ]),
    width,
  ),
  ...paragraph(Problems.fromStatus(status).map(({ text }) => text)),
]

const sum = (sinks: ReadonlyArray<FleetStatus.Sink>, of: "deadLetters" | "pending"): number =>
  sinks.reduce((total, sink) => total + sink[of], 0)

/** The oldest of the sinks. */
const oldest = (sinks: ReadonlyArray<FleetStatus.Sink>): string | null =>
  sinks.flatMap(({ oldestAt }) => iso(oldestAt) ?? []).toSorted()[0] ?? null

const toOne = (status: FleetStatus.Status): Printable.One => {
  const { claimAge, lag, lastPollAt, runners, sinks, ...counts } = status
  const totals = { ...counts, lagSeconds: lag, lastPollAt: iso(lastPollAt), claimAgeSeconds: claimAge }
  return {
    lines: (width) => lines(status, width),
    record: {
      ...totals,
      runners: runners.filter(({ isAlive }) => isAlive).length,
      pending: sum(sinks, "pending"),
      oldestAt: oldest(sinks),
      deadLetters: sum(sinks, "deadLetters"),
    },
    json: {
      ...totals,
      runners: runners.map(({ seenAt, startedAt, workedAt, ...one }) => ({
        ...one,
        startedAt: iso(startedAt),
        seenAt: iso(seenAt),
        workedAt: iso(workedAt),
      })),
      sinks: sinks.map((one) => ({ ...one, oldestAt: iso(one.oldestAt) })),
    },
  }
}

const state = ({ failures, isPaused, polledAt }: FleetStatus.Subscription): string => {
  if (isPaused) return "paused"
  if (failures > 0) return plural(failures, "failure")
  return polledAt === null ? "new" : "ok"
}

const definition = (label: (id: string) => string): Printable.Definition<FleetStatus.Subscription> => ({
  columns: [
    { heading: "SUBSCRIPTION", minWidth: 36, cell: ({ id }) => label(id) },
    { heading: "RUNNER", field: "runner", minWidth: 8, hideOrder: 2 },
    { heading: "LAST POLL (UTC)", cell: ({ polledAt }) => second(polledAt) },
    { heading: "NEXT POLL (UTC)", hideOrder: 1, cell: ({ dueAt, isPaused }) => (isPaused ? "" : second(dueAt)) },
    { heading: "OPEN EVENTS", field: "openEvents", hideOrder: 3 },
    { heading: "STATE", cell: state },
    { heading: "ERROR", field: "error", minWidth: 16 },
  ],
  fields: {
    subscription: ({ id }) => id,
    isPaused: ({ isPaused }) => isPaused,
    runner: ({ runner }) => runner,
    polledAt: ({ polledAt }) => iso(polledAt),
    succeededAt: ({ succeededAt }) => iso(succeededAt),
    dueAt: ({ dueAt }) => iso(dueAt),
    openEvents: ({ openEvents }) => openEvents,
    failures: ({ failures }) => failures,
    error: ({ error }) => error,
    invalid: ({ invalid }) => invalid,
  },
})

export const command = Command.make({
  description:
    "Show the runners, polls and deliveries of a fleet, or one row for each of its subscriptions. Exits with 1 if no runner can work, or polls are late by more than a minute.",
  examples: ["vigil fleet status", "vigil fleet status --subscriptions --output csv"],
  flags: {
    database: Database.flag,
    subscriptions: Flag.boolean("Show the subscriptions, with the errors of their last polls"),
    output: Format.flag,
  },
  run: function* ({ database, output: format, subscriptions: isList }) {
    const { sql, status, subscriptions } = yield* Database.connect(database)
    if (isList)
      return yield* Format.list(
        format,
        definition((yield* Settings.Settings).names.label),
        Stream.fromEffect(Effect.provide(subscriptions, sql)),
      )
    const current = yield* Effect.provide(status, sql)
    yield* Format.one(format, toOne(current))
    if (Problems.isBroken(current))
      return yield* new CommandError("incomplete", "The fleet does not work: no runner can work, or polls are late.")
  },
})
