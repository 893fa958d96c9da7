/** Pulls the pages of lists: those that earlier runs did not complete. */
import type * as Checkpoint from "@vigil/health-client/Checkpoint"
import type { CheckpointMismatch } from "@vigil/health-client/CheckpointMismatch"
import type * as Listing from "@vigil/health-client/Listing"
import * as ListLimit from "@vigil/health-client/ListLimit"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as Failure from "../command/Failure.js"
import * as InvalidEntries from "../connection/InvalidEntries.js"
import type { UsageError } from "../flags/UsageError.js"
import { notePrefix, Output, plural } from "../output/Output.js"
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
  const current = position && (lists.find(({ id }) => id === position.checkpoint.list.id) ?? lists[0])
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
  let ended = 0
  const failed = new Map<string, Failure.Failure>()
  const progress = yield* Lists.makeProgress(
    () => (isSeveral ? `${ended}/${plural(left.length, "subscription")}, ${failed.size} failed, ` : ""),
    noun,
  )
  const prefixOf = ({ title }: Lists.Subject) => notePrefix(isSeveral ? title : undefined)
  const failIfIncomplete = Effect.suspend(() => Lists.failIfIncomplete(failed.size, lists.length, [...failed.values()]))

  const onFailure = Effect.fnUntraced(function* (list: Lists.Subject, error: ListLimit.ListLimit | Listing.PagesError) {
    if (file !== undefined && error._tag === "CheckpointMismatch") return yield* file.mismatch(error)
    if (!isSeveral) return yield* Effect.fail(error)
    yield* note(prefixOf(list) + Failure.plain(error))
    failed.set(list.id, error)
    // The position must not pass pages that were not printed. Without a complete list, the output has no end.
    if (file !== undefined || failed.size === left.length) return yield* failIfIncomplete
  })

  const pagesOf = (list: Lists.List<A>, index: number) => {
    const isLast = index === left.length - 1
    const done = [...(position?.done ?? []), ...left.slice(0, index).map(({ id }) => id)]
    const pages = list.pages(index === 0 ? position?.checkpoint : undefined)
    return (wholeTimeout === undefined ? pages : ListLimit.atMost(ListLimit.standard, wholeTimeout)(pages)).pipe(
      Stream.map((page): Pulled<A> => ({ list, page, isEnd: isLast && page.checkpoint.next === undefined, done })),
      Stream.onEnd(Effect.sync(() => void (ended += 1))),
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
    failed: () => failed.size,
    /** The lists that did not fail so far. */
    read: () => lists.filter(({ id }) => !failed.has(id)),
    failIfIncomplete,
  }
})
