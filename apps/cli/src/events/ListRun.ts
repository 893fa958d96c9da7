/** Reads several lists, selects entries, stops at the limit and saves checkpoints. */
import type * as Listing from "@vigil/health-client/Listing"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import type { UsageError } from "../Failure.js"
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
  readonly file: CheckpointFile.CheckpointFile | undefined
  readonly progress: Progress.Progress
  readonly names: ReturnType<typeof Unmatched.make>
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
  path: string,
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
  const position = file?.position
  const done = position?.done ?? []
  // If no list has the ID of the checkpoint, the first list reports the mismatch.
  const current = position && (lists.find(({ id }) => id === position.checkpoint.list.id) ?? lists[0])
  const others = lists.filter((list) => list !== current && !done.includes(list.id))
  const left = current === undefined ? others : [current, ...others]
  return Stream.flatMap(Stream.fromIterable(left.entries()), ([index, list]) => {
    const pages = file && position && list === current ? resume(list, file.path, position) : list.pages(undefined)
    const before = [...done, ...left.slice(0, index).map(({ id }) => id)]
    return Stream.map(pages, (page) => ({ page, done: before, isLastList: index === left.length - 1 }))
  })
}

const savedNote = ({ path }: CheckpointFile.CheckpointFile) =>
  `The position is saved in ${JSON.stringify(path)}. Run the same command to resume after the last printed page.`

export const make = (options: Options) => {
  const { file, limit, names, printsInvalid, progress, selects } = options
  const before = file?.position?.printed ?? 0
  let printed = 0
  let printedInvalid = 0
  let last: CheckpointFile.Position | undefined
  let isComplete = false

  const step = Effect.fnUntraced(function* ({ done, isLastList, page }: ListPage) {
    const selected = select(page, options)
    const entries = file === undefined ? selected.slice(0, limit - printed) : selected
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
      file === undefined
        ? Stream.make(entries)
        : Stream.concat(Stream.make(entries), Stream.fromEffectDrain(file.save(position))),
    ),
  )
  const noteSaved = file === undefined ? Effect.void : Output.note(savedNote(file))

  const summary = Effect.map(progress.tally, ({ invalid, pages }) => {
    const events = plural(printed - printedInvalid, "event")
    const summary =
      printed < limit ? `${events} on ${plural(pages, "page")}` : `${before === 0 ? "first" : "next"} ${events}`
    const isPrinted = selects === undefined && printsInvalid
    return summary + Invalid.remark(isPrinted ? printedInvalid : invalid, isPrinted)
  })

  return {
    /** The entries to print, by page. Pull a part only after printing the previous one: the pull saves the position after it. */
    parts: Stream.tapError(parts, ({ _tag }) => (last === undefined || _tag === "FileError" ? Effect.void : noteSaved)),
    printedBefore: file && before,
    /** What was printed. */
    summary,
    /** Notes for names that match nothing. Empty unless this run read the lists from beginning to end. */
    unmatched: Effect.sync(() => (printed < limit && file?.position === undefined ? names.notes() : [])),
    /** Removes the checkpoint file if the lists are complete. Otherwise, notes that the position is saved. */
    end: Effect.suspend(() => (file && (printed < limit || isComplete) ? file.remove : noteSaved)),
  }
}
