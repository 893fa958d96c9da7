/** Reads several lists, selects entries, stops at the limit and saves checkpoints. */
import type * as Listing from "@vigil/health-client/Listing"
import type * as ApiVersion from "@vigil/health-schema/ApiVersion"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import type { FileError, UsageError } from "../Failure.js"
import type * as Format from "../output/Format.js"
import { Output } from "../output/Output.js"
import * as CheckpointFile from "./CheckpointFile.js"
import * as Entry from "./Entry.js"
import type { List } from "./Lists.js"
import * as Invalid from "./Invalid.js"
import * as Progress from "./Progress.js"
import type { Selection } from "./Selection.js"
import type * as Unmatched from "./Unmatched.js"

type EventPage = Listing.EventPage<ApiVersion.ApiVersion>

export interface Options {
  readonly lists: ReadonlyArray<List>
  readonly wants: Selection["wants"]
  readonly printsInvalid: boolean
  /** Entries to print. With a file, the page that reaches the limit is printed completely. */
  readonly limit: number
  readonly file: Option.Option<CheckpointFile.CheckpointFile>
  readonly progress: Progress.Progress
  readonly names: Unmatched.Names
}

export interface ListRun {
  /** The entries to print, by page. Pulling a part means that the previous part is printed; it is then saved. */
  readonly parts: Stream.Stream<ReadonlyArray<Entry.Entry>, Listing.PagesError | FileError | UsageError, Output>
  readonly resumed: Format.Resumed | undefined
  /** Removes the file if everything was printed, else notes it. */
  readonly end: Effect.Effect<void, FileError, Output>
  /** What was printed. Excludes `tooDeep`, the entries that the format left out. */
  readonly summary: (tooDeep: ReadonlyArray<Entry.Entry>) => Effect.Effect<string>
  /** Notes for names that match nothing. Empty unless this run read the lists from beginning to end. */
  readonly unmatched: Effect.Effect<ReadonlyArray<string>>
}

const select = (page: EventPage, { printsInvalid, wants }: Options): ReadonlyArray<Entry.Entry> =>
  wants === undefined && printsInvalid
    ? Entry.ofPage(page)
    : page.items.filter((event) => wants === undefined || wants(event)).map(Entry.of)

interface Turn {
  readonly page: EventPage
  readonly done: ReadonlyArray<string>
  readonly isLastList: boolean
}

const goOn = (
  { pages }: List,
  { path }: CheckpointFile.CheckpointFile,
  { checkpoint }: CheckpointFile.Place,
): Stream.Stream<EventPage, Listing.PagesError | UsageError> =>
  Stream.mapError(pages(checkpoint), (error) =>
    error._tag === "CheckpointMismatch"
      ? CheckpointFile.refuse(
          path,
          `belongs to another list: its ${error.field} is ${JSON.stringify(error.actual)}, not ${JSON.stringify(error.expected)}`,
        )
      : error,
  )

const pagesOf = ({ file, lists }: Options): Stream.Stream<Turn, Listing.PagesError | UsageError> => {
  const known = Option.flatMap(file, (file) => Option.map(file.place, (place) => ({ file, place })))
  const done = Option.match(known, { onNone: (): ReadonlyArray<string> => [], onSome: ({ place }) => place.done })
  // If no list has the ID of the checkpoint, the first list reports the mismatch.
  const current = Option.flatMap(known, ({ place }) =>
    Option.fromNullable(lists.find(({ id }) => id === place.checkpoint.list.id) ?? lists[0]),
  )
  const isCurrent = (list: List) => Option.contains(current, list)
  const left = [...Option.toArray(current), ...lists.filter((list) => !isCurrent(list) && !done.includes(list.id))]
  return Stream.flatMap(Stream.fromIterable(left.entries()), ([index, list]) => {
    const pages =
      Option.isSome(known) && isCurrent(list) ? goOn(list, known.value.file, known.value.place) : list.pages(undefined)
    const before = [...done, ...left.slice(0, index).map(({ id }) => id)]
    return Stream.map(pages, (page) => ({ page, done: before, isLastList: index === left.length - 1 }))
  })
}

const remembered = ({ path }: CheckpointFile.CheckpointFile) =>
  `The same command goes on after the last page that was printed: ${JSON.stringify(path)} has the place.`

export const make = (options: Options): ListRun => {
  const { file, limit, names, printsInvalid, progress, wants } = options
  const resumed = Option.map(file, ({ place }) => ({
    printed: Option.match(place, { onNone: () => 0, onSome: ({ printed }) => printed }),
  }))
  const before = Option.match(resumed, { onNone: () => 0, onSome: ({ printed }) => printed })
  let shown = 0
  let shownInvalid = 0
  let last: CheckpointFile.Place | undefined
  let isWhole = false

  const step = ({ done, isLastList, page }: Turn) =>
    Effect.gen(function* () {
      const wanted = select(page, options)
      const entries = Option.isSome(file) ? wanted : wanted.slice(0, limit - shown)
      shown += entries.length
      shownInvalid += entries.filter(({ event }) => event === undefined).length
      last = { done, checkpoint: page.checkpoint, printed: before + shown }
      isWhole = isLastList && Option.isNone(page.checkpoint.next)
      names.add(page.items)
      yield* Entry.warn(page)
      yield* progress.page(page)
      return { entries, place: last, isLast: shown >= limit }
    })

  const parts = pagesOf(options).pipe(
    Stream.mapEffect(step),
    Stream.takeUntil(({ isLast }) => isLast),
    Stream.flatMap(({ entries, place }) =>
      Option.match(file, {
        onNone: () => Stream.make(entries),
        onSome: ({ save }) => Stream.concat(Stream.make(entries), Stream.execute(save(place))),
      }),
    ),
  )

  const summary = (tooDeep: ReadonlyArray<Entry.Entry>) =>
    Effect.map(progress.tally, ({ invalid, pages }) => {
      const printedInvalid = shownInvalid - tooDeep.filter(({ event }) => event === undefined).length
      const events = Progress.plural(shown - tooDeep.length - printedInvalid, "event")
      const said =
        shown < limit
          ? `${events} on ${Progress.plural(pages, "page")}`
          : `${before === 0 ? "first" : "next"} ${events}`
      const isPrinted = wants === undefined && printsInvalid
      return said + Invalid.remark(isPrinted ? printedInvalid : invalid, isPrinted)
    })

  const isEnd = () => shown < limit || isWhole

  return {
    parts: Option.match(file, {
      onNone: () => parts,
      onSome: (file) =>
        Stream.tapError(parts, ({ _tag }) =>
          last === undefined || _tag === "FileError"
            ? Effect.void
            : Effect.flatMap(Output, ({ note }) => note(remembered(file))),
        ),
    }),
    resumed: Option.getOrUndefined(resumed),
    summary,
    unmatched: Effect.sync(() =>
      shown < limit && Option.isNone(Option.flatMap(file, ({ place }) => place)) ? names.notes() : [],
    ),
    end: Option.match(file, {
      onNone: () => Effect.void,
      onSome: (file) =>
        Effect.suspend(() => (isEnd() ? file.remove : Effect.flatMap(Output, ({ note }) => note(remembered(file))))),
    }),
  }
}
