/** Reads several lists, selects entries, stops at the limit and saves checkpoints. */
import type * as Listing from "@vigil/health-client/Listing"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import type { FileError, UsageError } from "../Failure.js"
import * as Output from "../output/Output.js"
import { plural } from "../output/Plural.js"
import * as CheckpointFile from "./CheckpointFile.js"
import * as Entry from "./Entry.js"
import type { List } from "./Lists.js"
import * as Invalid from "./Invalid.js"
import type * as Progress from "./Progress.js"
import type { Selection } from "./Selection.js"
import type * as Unmatched from "./Unmatched.js"
import type { EventPage } from "./AnyEvent.js"

export interface Options {
  readonly lists: ReadonlyArray<List>
  readonly selects: Selection["selects"]
  readonly printsInvalid: boolean
  /** Entries to print. With a file, the page that reaches the limit is printed completely. */
  readonly limit: number
  readonly file: Option.Option<CheckpointFile.CheckpointFile>
  readonly progress: Progress.Progress
  readonly names: Unmatched.Names
}

export interface ListRun {
  /** The entries to print, by page. Pull a part only after printing the previous one: the pull saves the position after it. */
  readonly parts: Stream.Stream<ReadonlyArray<Entry.Entry>, Listing.PagesError | FileError | UsageError, Output.Output>
  readonly printedBefore: number | undefined
  /** Removes the checkpoint file if the lists are complete. Otherwise, notes that the position is saved. */
  readonly end: Effect.Effect<void, FileError, Output.Output>
  /** What was printed. */
  readonly summary: Effect.Effect<string>
  /** Notes for names that match nothing. Empty unless this run read the lists from beginning to end. */
  readonly unmatched: Effect.Effect<ReadonlyArray<string>>
}

const select = (page: EventPage, { printsInvalid, selects }: Options): ReadonlyArray<Entry.Entry> =>
  selects === undefined && printsInvalid
    ? Entry.fromPage(page)
    : page.items.filter((event) => selects === undefined || selects(event)).map(Entry.fromItem)

interface ListPage {
  readonly page: EventPage
  readonly done: ReadonlyArray<string>
  readonly isLastList: boolean
}

const resume = (
  { pages }: List,
  { path }: CheckpointFile.CheckpointFile,
  { checkpoint }: CheckpointFile.Position,
): Stream.Stream<EventPage, Listing.PagesError | UsageError> =>
  Stream.mapError(pages(checkpoint), (error) =>
    error._tag === "CheckpointMismatch"
      ? CheckpointFile.refuse(
          path,
          `belongs to another list: its ${error.field} is ${JSON.stringify(error.actual)}, not ${JSON.stringify(error.expected)}`,
        )
      : error,
  )

const pagesOf = ({ file, lists }: Options): Stream.Stream<ListPage, Listing.PagesError | UsageError> => {
  const known = Option.flatMap(file, (file) => Option.map(file.position, (position) => ({ file, position })))
  const done = Option.match(known, { onNone: (): ReadonlyArray<string> => [], onSome: ({ position }) => position.done })
  // If no list has the ID of the checkpoint, the first list reports the mismatch.
  const current = Option.flatMap(known, ({ position }) =>
    Option.fromNullishOr(lists.find(({ id }) => id === position.checkpoint.list.id) ?? lists[0]),
  )
  const isCurrent = (list: List) => Option.contains(current, list)
  const left = [...Option.toArray(current), ...lists.filter((list) => !isCurrent(list) && !done.includes(list.id))]
  return Stream.flatMap(Stream.fromIterable(left.entries()), ([index, list]) => {
    const pages =
      Option.isSome(known) && isCurrent(list)
        ? resume(list, known.value.file, known.value.position)
        : list.pages(undefined)
    const before = [...done, ...left.slice(0, index).map(({ id }) => id)]
    return Stream.map(pages, (page) => ({ page, done: before, isLastList: index === left.length - 1 }))
  })
}

const savedNote = ({ path }: CheckpointFile.CheckpointFile) =>
  `The position is saved in ${JSON.stringify(path)}. Run the same command to resume after the last printed page.`

export const make = (options: Options): ListRun => {
  const { file, limit, names, printsInvalid, progress, selects } = options
  const position = Option.flatMap(file, ({ position }) => position)
  const before = Option.match(position, { onNone: () => 0, onSome: ({ printed }) => printed })
  let printed = 0
  let printedInvalid = 0
  let last: CheckpointFile.Position | undefined
  let isComplete = false

  const step = ({ done, isLastList, page }: ListPage) =>
    Effect.gen(function* () {
      const selected = select(page, options)
      const entries = Option.isSome(file) ? selected : selected.slice(0, limit - printed)
      printed += entries.length
      printedInvalid += Entry.count(entries).invalid
      last = { done, checkpoint: page.checkpoint, printed: before + printed }
      isComplete = isLastList && Option.isNone(page.checkpoint.next)
      names.add(page.items)
      yield* Entry.warn(page)
      yield* progress.page(page)
      return { entries, position: last, isLast: printed >= limit }
    })

  const parts = pagesOf(options).pipe(
    Stream.mapEffect(step),
    Stream.takeUntil(({ isLast }) => isLast),
    Stream.flatMap(({ entries, position }) =>
      Option.match(file, {
        onNone: () => Stream.make(entries),
        onSome: ({ save }) => Stream.concat(Stream.make(entries), Stream.fromEffectDrain(save(position))),
      }),
    ),
  )

  const summary = Effect.map(progress.tally, ({ invalid, pages }) => {
    const events = plural(printed - printedInvalid, "event")
    const summary =
      printed < limit ? `${events} on ${plural(pages, "page")}` : `${before === 0 ? "first" : "next"} ${events}`
    const isPrinted = selects === undefined && printsInvalid
    return summary + Invalid.remark(isPrinted ? printedInvalid : invalid, isPrinted)
  })

  const isEnd = () => printed < limit || isComplete

  return {
    parts: Option.match(file, {
      onNone: () => parts,
      onSome: (file) =>
        Stream.tapError(parts, ({ _tag }) =>
          last === undefined || _tag === "FileError" ? Effect.void : Output.note(savedNote(file)),
        ),
    }),
    printedBefore: Option.isSome(file) ? before : undefined,
    summary,
    unmatched: Effect.sync(() => (printed < limit && Option.isNone(position) ? names.notes() : [])),
    end: Option.match(file, {
      onNone: () => Effect.void,
      onSome: (file) => Effect.suspend(() => (isEnd() ? file.remove : Output.note(savedNote(file)))),
    }),
  }
}
