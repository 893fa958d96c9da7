/** What a picture lacks, in the words that follow each claim made from it: `All 12 resources are available (not of the tenant: …)`. */
import * as EventList from "./EventList.js"
import type { Picture } from "./Picture.js"
import * as Subject from "./Subject.js"

/** A list that is missing, or incomplete. @category models @since 0.4.0 */
export interface Gap {
  readonly subject: Subject.Subject
  /**
   * `failed`: it could not be read to its end, or has invalid entries. `outside`: it may not be read, or does not exist: no failure. `left out`: on
   * request.
   */
  readonly kind: "failed" | "left out" | "outside"
  /** Why. Empty if it was left out. */
  readonly problem: string
}

/** How a list ended. @category models @since 0.4.0 */
export type Ending = Pick<EventList.EventList, "error" | "invalid" | "problem" | "subject">

type Events = Pick<Picture, "leftOut"> & { readonly events: ReadonlyArray<Ending> }

const reasonOf = (list: Ending): string => {
  const { length } = list.invalid
  return list.problem ?? (length === 1 ? "1 entry could not be read" : `${length} entries could not be read`)
}

/** Returns what lacks of the lists of events. Empty if all that was asked for was read. @category getters @since 0.4.0 */
export const gaps = ({ events, leftOut }: Events): ReadonlyArray<Gap> => [
  ...events.flatMap((list): ReadonlyArray<Gap> => {
    if (EventList.isComplete(list)) return []
    const kind = EventList.isOutside(list, events) ? "outside" : "failed"
    return [{ subject: list.subject, kind, problem: reasonOf(list) }]
  }),
  ...leftOut.map((subject): Gap => ({ subject, kind: "left out", problem: "" })),
]

/** Returns whether all was read that was asked for. What was left out on request was not asked for. @category guards @since 0.4.0 */
export const isComplete = (picture: Events): boolean => gaps(picture).every(({ kind }) => kind === "left out")

/** Returns `not of the tenant` or `without the tenant`, for claims beside which the reasons stand. `nameOf` names subscriptions. @category conversions @since 0.4.0 */
export const brief = ({ kind, subject }: Gap, nameOf: (subscription: string) => string): string =>
  `${kind === "left out" ? "without" : "not of"} ${Subject.isSubscription(subject) ? nameOf(subject) : Subject.label(subject)}`

/** Returns `not of the tenant: …` or `without the tenant`. `nameOf` names subscriptions. @category conversions @since 0.4.0 */
export const phrase = (gap: Gap, nameOf: (subscription: string) => string): string =>
  [brief(gap, nameOf), gap.problem.replace(/\.$/, "")].filter((text) => text !== "").join(": ")

/** Returns all phrases, to stand in brackets after a claim. Empty if nothing lacks. @category conversions @since 0.4.0 */
export const remark = (picture: Events, nameOf: (subscription: string) => string): string =>
  gaps(picture)
    .map((gap) => phrase(gap, nameOf))
    .join("; ")
