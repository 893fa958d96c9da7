/** The head of every answer: when, over which period, of which subscriptions, and what could not be read. */
import { RequestError } from "@vigil/core-http/RequestError"
import type { SubscriptionId } from "@vigil/health-client/SubscriptionId"
import { plural } from "@vigil/health-text/Sentence"
import * as Coverage from "@vigil/health-verdict/Coverage"
import * as ImpactedLists from "@vigil/health-verdict/ImpactedLists"
import type * as Picture from "@vigil/health-verdict/Picture"
import * as Subject from "@vigil/health-verdict/Subject"
import type * as DateTime from "effect/DateTime"
import * as Schema from "effect/Schema"
import type { Call } from "./Session.js"
import * as Time from "./Time.js"
import * as quote from "./quote.js"

/** What was read of a list beside those of subscriptions. `incomplete`: it failed, or has entries that could not be read. */
const Covered = Schema.Literals(["read", "incomplete", "not allowed", "not found", "left out"])

export type Covered = typeof Covered.Type

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
  tenant: Covered,
  emergingIssues: Covered,
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

/** What was read beside the events of subscriptions. */
export interface Shared {
  readonly tenant: Covered
  readonly emergingIssues: Covered
  /** Sentences about what could not be read beside the lists of the outcomes: the answer is partial. */
  readonly gaps: ReadonlyArray<string>
}

/** If nothing could be read. */
export const notRead: Shared = { tenant: "incomplete", emergingIssues: "incomplete", gaps: [] }

type Lists = Pick<Picture.Picture, "events" | "leftOut">

const coveredOf = (lists: Lists, tag: "Everyone" | "Tenant"): Covered => {
  const isOf = ({ subject }: { readonly subject: Subject.Subject }) =>
    !Subject.isSubscription(subject) && subject._tag === tag
  const gap = Coverage.gaps(lists).find(isOf)
  if (gap?.kind !== "outside") return gap === undefined ? "read" : gap.kind === "failed" ? "incomplete" : "left out"
  const error = lists.events.find(isOf)?.error
  return error instanceof RequestError && error.reason._tag === "NotFound" ? "not found" : "not allowed"
}

/** Whether it is a list beside those of subscriptions. */
const isShared = ({ subject }: Pick<Coverage.Gap, "subject">): boolean => !Subject.isSubscription(subject)

/** What lists of events lack. `isToName`: which gaps no outcome names. */
export const shared = (
  { scope }: Pick<Call, "scope">,
  lists: Lists,
  isToName: (gap: Coverage.Gap) => boolean = isShared,
): Shared => ({
  tenant: coveredOf(lists, "Tenant"),
  emergingIssues: coveredOf(lists, "Everyone"),
  gaps: Coverage.gaps(lists)
    .filter((gap) => gap.kind !== "left out" && isToName(gap))
    .map((gap) => `Not all events were read (${Coverage.phrase(gap, scope.label)}).`),
})

/** A subscription whose events failed is named once. */
const statusGaps = ({ scope }: Pick<Call, "scope">, { events, statuses }: Picture.Picture): ReadonlyArray<string> =>
  statuses.flatMap(({ invalid, problem, subject }) => {
    if (events.some((list) => list.subject === subject && list.problem !== undefined)) return []
    const { length } = invalid
    const why = problem ?? (length === 0 ? undefined : `${plural(length, "entry", "entries")} could not be read`)
    if (why === undefined) return []
    return [`Not all resources were read (${Coverage.phrase({ subject, kind: "failed", problem: why }, scope.label)}).`]
  })

/** What a picture lacks, so that a state may have another cause. `of`: what the outcomes are of, which name its gaps. */
export const ofPicture = (call: Pick<Call, "scope">, picture: Picture.Picture, of: "events" | "statuses"): Shared => {
  const events = shared(call, picture, of === "events" ? isShared : () => true)
  const all = { ...events, gaps: [...events.gaps, ...(of === "events" ? statusGaps(call, picture) : [])] }
  const failures = ImpactedLists.failures(picture.impacted)
  return { ...all, gaps: [...all.gaps, ...failures.map(({ problem, source }) => `${source}: ${problem}`)] }
}

interface Facts extends Shared {
  readonly now: DateTime.Utc
  readonly from: DateTime.Utc
  readonly outcomes: ReadonlyArray<Outcome>
  readonly hints?: ReadonlyArray<string>
}

/** Takes at most about half of the budget. One hint always fits: without it, 0 events of a misspelled region would be a false all-clear. */
export const make = (
  { budget, scope }: Call,
  { emergingIssues, from, gaps, hints = [], now, outcomes, tenant }: Facts,
): Head => {
  const covered = outcomes.flatMap(({ problem, subscription }) =>
    problem === undefined ? [scope.named(subscription)] : [],
  )
  const failed = outcomes.flatMap(({ problem, subscription }) =>
    problem === undefined
      ? []
      : [{ ...scope.named(subscription), quotedReason: quote.problem(problem, Math.min(300, budget / 12)) }],
  )
  const invalidEntries = outcomes.reduce((sum, { invalid }) => sum + invalid, 0)
  const asOf = Time.utc(now)
  const quotedHints = quote.fitting(
    [...hints, ...gaps].map((hint) => quote.line(hint, Math.min(300, budget / 18))),
    budget / 8,
  )
  return {
    status:
      covered.length === 0 || (invalidEntries > 0 && outcomes.every(({ valid }) => valid === 0))
        ? "unknown"
        : failed.length > 0 || invalidEntries > 0 || gaps.length > 0
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
    tenant,
    emergingIssues,
    invalidEntries,
  }
}
