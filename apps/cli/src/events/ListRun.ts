/** Several lists as one: what is wanted of them, no more than is asked for, and remembered as it is printed. */
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
import type * as Progress from "./Progress.js"
import type { Selection } from "./Selection.js"

type EventPage = Listing.EventPage<ApiVersion.ApiVersion>

/** What is read, and how. */
export interface Options {
  readonly lists: ReadonlyArray<List>
  readonly wants: Selection["wants"]
  /** How many entries are printed at most; where a file remembers pages, those of the page that reaches it are, too. */
  readonly limit: number
  readonly file: Option.Option<CheckpointFile.CheckpointFile>
  readonly progress: Progress.Progress
}

/** A run over the lists. */
export interface ListRun {
  /** What is to be printed, page by page. When a part is asked for, the one before is printed, and is remembered. */
  readonly parts: Stream.Stream<ReadonlyArray<Entry.Entry>, Listing.PagesError | FileError | UsageError, Output>
  readonly resumed: Format.Resumed | undefined
  /** Forgets the place when everything was printed, and else says that it is remembered. */
  readonly end: Effect.Effect<void, FileError, Output>
}

/** What is wanted of a page. An entry that is no event is nobody's wish: it is told on stderr. */
const select = (page: EventPage, wants: Options["wants"]): ReadonlyArray<Entry.Entry> => {
  const entries = Entry.ofPage(page)
  return wants === undefined ? entries : entries.filter(({ event }) => event !== undefined && wants(event))
}

/** A page, the lists that were printed before its own, and whether no list is left after that. */
interface Turn {
  readonly page: EventPage
  readonly done: ReadonlyArray<string>
  readonly isLastList: boolean
}

/** A list from a place on. */
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

/** The pages of all lists: from the beginning, or first those of the list that the file says, from its place on. */
const pagesOf = ({ file, lists }: Options): Stream.Stream<Turn, Listing.PagesError | UsageError> => {
  const known = Option.flatMap(file, (file) => Option.map(file.place, (place) => ({ file, place })))
  const done = Option.match(known, { onNone: (): ReadonlyArray<string> => [], onSome: ({ place }) => place.done })
  // Where the checkpoint belongs to none of the lists, the first one refuses it.
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

/** Makes a run, for one time. */
export const make = (options: Options): ListRun => {
  const { file, limit, progress, wants } = options
  const resumed = Option.map(file, ({ place }) => ({
    printed: Option.match(place, { onNone: () => 0, onSome: ({ printed }) => printed }),
  }))
  const before = Option.match(resumed, { onNone: () => 0, onSome: ({ printed }) => printed })
  /** How many are printed in this run, and the place behind them. */
  let shown = 0
  let last: CheckpointFile.Place | undefined
  let isWhole = false

  const step = ({ done, isLastList, page }: Turn) =>
    Effect.gen(function* () {
      const wanted = select(page, wants)
      const entries = Option.isSome(file) ? wanted : wanted.slice(0, limit - shown)
      shown += entries.length
      last = { done, checkpoint: page.checkpoint, printed: before + shown }
      isWhole = isLastList && Option.isNone(page.checkpoint.next)
      yield* Entry.warn(page)
      yield* progress.page(page, entries.length)
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
    end: Option.match(file, {
      onNone: () => Effect.void,
      onSome: (file) =>
        Effect.suspend(() => (isEnd() ? file.remove : Effect.flatMap(Output, ({ note }) => note(remembered(file))))),
    }),
  }
}
