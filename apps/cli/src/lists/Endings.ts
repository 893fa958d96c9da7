/** How lists ended: which failed, and what lacks of those beside the lists of subscriptions. */
import * as Coverage from "@vigil/health-verdict/Coverage"
import * as EventList from "@vigil/health-verdict/EventList"
import * as Subject from "@vigil/health-verdict/Subject"
import * as Failure from "../command/Failure.js"
import * as Lists from "./Lists.js"

/** A list, and why it was not read to its end. */
export interface Ending {
  readonly list: Lists.Subject
  readonly error: Failure.Failure | undefined
}

const readings = (all: ReadonlyArray<Ending>): ReadonlyArray<Coverage.Ending> =>
  all.flatMap(({ error, list: { owner: subject } }) =>
    subject === undefined ? [] : [{ subject, error, problem: error && Failure.plain(error), invalid: [] }],
  )

const gaps = (all: ReadonlyArray<Ending>, leftOut: ReadonlyArray<Subject.Shared>) =>
  Coverage.gaps({ events: readings(all), leftOut }).flatMap(({ subject, ...gap }) =>
    Subject.isSubscription(subject) ? [] : [{ ...gap, subject }],
  )

/** Whether the credential lacks the right to a list. The command then does not fail. */
export const isOutside = ({ error, list: { owner: subject } }: Ending, all: ReadonlyArray<Ending>): boolean =>
  subject !== undefined && EventList.isOutside({ subject, error }, readings(all))

/** What lacks, to follow a claim: ` (not of the tenant: …)`. Why a list failed was noted. */
export const remark = (all: ReadonlyArray<Ending>, leftOut: ReadonlyArray<Subject.Shared>): string => {
  const phrases = gaps(all, leftOut).map((gap) =>
    (gap.kind === "failed" ? Coverage.brief : Coverage.phrase)(gap, String),
  )
  return phrases.length === 0 ? "" : ` (${phrases.join("; ")})`
}

/** Fails if lists failed, which were noted. */
export const failIfIncomplete = (all: ReadonlyArray<Ending>) => {
  const needed = all.filter(({ list }) => !Lists.isBeside(list))
  const errors = needed.flatMap(({ error }) => error ?? [])
  const others = gaps(all, []).flatMap(({ kind, subject }) => (kind === "failed" ? [Subject.label(subject)] : []))
  return Lists.failIfIncomplete(errors.length, needed.length, errors, others)
}
