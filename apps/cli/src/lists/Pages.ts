/** Pulls the pages of lists: those that earlier runs did not complete. Lists beside those of subscriptions may fail: what they lack is said. */
import type * as Checkpoint from "@vigil/health-client/Checkpoint"
import type { CheckpointMismatch } from "@vigil/health-client/CheckpointMismatch"
import type * as Listing from "@vigil/health-client/Listing"
import * as ListLimit from "@vigil/health-client/ListLimit"
import { everyone, type Shared } from "@vigil/health-verdict/Subject"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as Failure from "../command/Failure.js"
import * as InvalidEntries from "../connection/InvalidEntries.js"
import type { UsageError } from "../flags/UsageError.js"
import { notePrefix, Output, plural } from "../output/Output.js"
import * as Beside from "./Beside.js"
import * as Endings from "./Endings.js"
import * as Lists from "./Lists.js"

/** Where to resume: the IDs of completed lists, the checkpoint of the current list, and the number of printed entries. */
export interface Position {
  readonly done: ReadonlyArray<string>
  readonly checkpoint: Checkpoint.Checkpoint
  readonly printed: number
}

interface Options {
  /** Where an earlier run stopped, and the error for the checkpoint of another list. */
  readonly file?:
    | { readonly position: Position | undefined; readonly mismatch: (error: CheckpointMismatch) => UsageError }
    | undefined
  /** Whether a list that fails does not stop the others. */
  readonly isSeveral: boolean
  /** How many lists are read at once. */
  readonly concurrency: number
  /** What an entry is. Default: an event. */
  readonly noun?: Lists.Noun
  /** How long a list may take whose entries are all kept until its end, and limits them. Default: a list may go on. */
  readonly wholeTimeout?: Duration.Duration | undefined
}

/** A page of a list. */
export interface Pulled<A> {
  readonly list: Lists.List<A>
  readonly page: Listing.Page<A>
  /** Whether it is the last page of the last list. */
  readonly isEnd: boolean
  /** The IDs of the lists that are complete before it. */
  readonly done: ReadonlyArray<string>
}

/** First the list of the checkpoint, then the others. If no list has its ID, the first list reports the mismatch. */
const remaining = <A>(lists: ReadonlyArray<Lists.List<A>>, position: Position | undefined) => {
  const current = position && (lists.find(({ id }) => id === Beside.idOf(position.checkpoint.list)) ?? lists[0])
  const others = lists.filter((list) => list !== current && position?.done.includes(list.id) !== true)
  return current === undefined ? others : [current, ...others]
}

export const make = Effect.fnUntraced(function* <A>(
  lists: ReadonlyArray<Lists.List<A>>,
  { concurrency, file, isSeveral, noun, wholeTimeout }: Options,
) {
  const { note } = yield* Output
  const position = file?.position
  const left = remaining(lists, position)
  const needed = { left: left.filter((list) => !Lists.isBeside(list)).length, ended: 0, failed: 0 }
  let failures = 0
  /** The errors of lists by their IDs, and the list of everyone, if the service has none. */
  const failed = new Map<string, Failure.Failure>()
  const absent = new Set<string>()
  const endings = () => lists.map((list): Endings.Ending => ({ list, error: failed.get(list.id) }))
  const progress = yield* Lists.makeProgress(
    () => (isSeveral ? `${needed.ended}/${plural(needed.left, "subscription")}, ${needed.failed} failed, ` : ""),
    noun,
  )
  const prefixOf = (list: Lists.Subject) => notePrefix(isSeveral || Lists.isBeside(list) ? list.title : undefined)
  const failIfIncomplete = Effect.suspend(() => Endings.failIfIncomplete(endings()))

  const onFailure = Effect.fnUntraced(function* (list: Lists.Subject, error: ListLimit.ListLimit | Listing.PagesError) {
    if (file !== undefined && error._tag === "CheckpointMismatch") return yield* file.mismatch(error)
    const isBeside = Lists.isBeside(list)
    if (!isSeveral && !isBeside) return yield* Effect.fail(error)
    failed.set(list.id, error)
    if (!isBeside) needed.failed += 1
    // The summary says what may not be read.
    if (isBeside && Endings.isOutside({ list, error }, endings())) return
    failures += 1
    yield* note(prefixOf(list) + Failure.plain(error))
    // The position must not pass pages that were not printed. Without a complete list, the output has no end.
    if (file !== undefined || (!isBeside && needed.failed === needed.left)) return yield* failIfIncomplete
  })

  const pagesOf = (list: Lists.List<A>, index: number) => {
    const isLast = index === left.length - 1
    /** What may not be read now is read by a later run that may. */
    const done = () => [
      ...(position?.done ?? []),
      ...left.slice(0, index).flatMap(({ id }) => (failed.has(id) ? [] : [id])),
    ]
    const from = index === 0 ? position?.checkpoint : undefined
    let isBegun = from !== undefined
    const pages = list.pages(from)
    return (wholeTimeout === undefined ? pages : ListLimit.atMost(ListLimit.standard, wholeTimeout)(pages)).pipe(
      Stream.map((page): Pulled<A> => {
        isBegun = true
        return { list, page, isEnd: isLast && page.checkpoint.next === undefined, done: done() }
      }),
      Stream.onEnd(
        Effect.sync(() => {
          if (!isBegun && list.owner === everyone) absent.add(list.id)
          if (!Lists.isBeside(list)) needed.ended += 1
        }),
      ),
      Stream.catch((error) => Stream.fromEffectDrain(onFailure(list, error))),
    )
  }

  const notePage = ({ list, page }: Pulled<A>) =>
    Effect.andThen(InvalidEntries.note(page, { noun: noun?.entry, prefix: prefixOf(list) }), progress.page(page))

  return {
    pages: Stream.fromIterable(left.entries()).pipe(
      Stream.flatMap(([index, list]) => pagesOf(list, index), { concurrency }),
      Stream.tap(notePage),
    ),
    /** What was pulled so far. */
    tally: progress.tally,
    failed: () => failures,
    /** The lists that did not fail so far. */
    read: () => lists.filter(({ id }) => !failed.has(id) && !absent.has(id)),
    /** What lacks beside the lists of subscriptions, to follow a claim. */
    remark: (leftOut: ReadonlyArray<Shared>) => Endings.remark(endings(), leftOut),
    failIfIncomplete,
  }
})
