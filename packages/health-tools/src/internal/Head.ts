/** The head of every answer: when, over which period, of which subscriptions, and what could not be read. */
import type { SubscriptionId } from "@vigil/health-client/SubscriptionId"
import type * as DateTime from "effect/DateTime"
import * as Schema from "effect/Schema"
import type { Call } from "./Session.js"
import * as Time from "./Time.js"
import * as quote from "./quote.js"

const id = { id: Schema.String, name: Schema.optionalKey(Schema.String) }

export const fields = {
  /** `unknown` if no subscription or no entry could be read. Counts are then absent. */
  status: Schema.Literals(["complete", "partial", "unknown"]),
  quotedHints: Schema.optionalKey(Schema.Array(Schema.String)),
  asOf: Schema.String,
  period: Schema.Struct({ from: Schema.String, to: Schema.String }),
  subscriptions: Schema.Struct({
    coveredCount: Schema.Finite,
    covered: Schema.Array(Schema.Struct(id)),
    failedCount: Schema.Finite,
    failed: Schema.Array(Schema.Struct({ ...id, quotedReason: Schema.String })),
  }),
  invalidEntries: Schema.Finite,
}

/** Of every answer: without it, an empty list would be a false all-clear. */
export const Checked = Schema.Struct({
  status: fields.status,
  asOf: fields.asOf,
  subscriptions: Schema.Record(Schema.String, Schema.Unknown),
  entries: Schema.Array(Schema.Unknown),
})

export type Head = Schema.Struct.Type<typeof fields>

/** What a call read of a subscription. */
export interface Outcome {
  readonly subscription: SubscriptionId
  readonly invalid: number
  /** How many entries could be read. */
  readonly valid: number
  /** Why the list is not complete. */
  readonly problem?: string | undefined
}

interface Facts {
  readonly now: DateTime.Utc
  readonly from: DateTime.Utc
  readonly outcomes: ReadonlyArray<Outcome>
  readonly hints?: ReadonlyArray<string>
}

/** Takes at most about half of the budget. One hint always fits: without it, 0 events of a misspelled region would be a false all-clear. */
export const make = ({ budget, scope }: Call, { from, hints = [], now, outcomes }: Facts): Head => {
  const covered = outcomes.flatMap(({ problem, subscription }) =>
    problem === undefined ? [scope.named(subscription)] : [],
  )
  const failed = outcomes.flatMap(({ problem, subscription }) =>
    problem === undefined
      ? []
      : [{ ...scope.named(subscription), quotedReason: quote.problem(problem, Math.min(200, budget / 20)) }],
  )
  const invalidEntries = outcomes.reduce((sum, { invalid }) => sum + invalid, 0)
  const asOf = Time.utc(now)
  const quotedHints = quote.fitting(
    hints.map((hint) => quote.line(hint, Math.min(300, budget / 18))),
    budget / 8,
  )
  return {
    status:
      covered.length === 0 || (invalidEntries > 0 && outcomes.every(({ valid }) => valid === 0))
        ? "unknown"
        : failed.length > 0 || invalidEntries > 0
          ? "partial"
          : "complete",
    ...(quotedHints.length > 0 ? { quotedHints } : {}),
    asOf,
    period: { from: Time.utc(from), to: asOf },
    subscriptions: {
      coveredCount: covered.length,
      covered: quote.fitting(covered, budget / 10),
      failedCount: failed.length,
      failed: quote.fitting(failed, budget / 6),
    },
    invalidEntries,
  }
}
