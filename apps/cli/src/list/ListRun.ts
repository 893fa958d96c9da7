/** Pulls the pages of lists, selects and prints their entries, and saves the position. */
import type * as Listing from "@vigil/health-client/Listing"
import * as TerminalText from "@vigil/health-report/TerminalText"
import * as SubscriptionId from "@vigil/health-client/SubscriptionId"
import * as Sweep from "@vigil/health-client/Sweep"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import * as Failure from "../kit/Failure.js"
import * as Format from "../kit/Format.js"
import { Output } from "../kit/Output.js"
import { plural } from "../kit/Plural.js"
import type { EventPage } from "../event/AnyEvent.js"
import * as CheckpointFile from "./CheckpointFile.js"
import * as Entry from "../event/Entry.js"
import type * as EventTable from "../event/EventTable.js"
import * as Lists from "./Lists.js"
import type * as Selection from "../event/Selection.js"

type ListEntry = Entry.Entry<EventTable.Row>

export interface Options {
  readonly lists: ReadonlyArray<Lists.List>
  /** Whether entries are printed with their subscription, and one that fails does not stop the others. */
  readonly isSeveral: boolean
  /** Whether equal events are merged. */
  readonly join: boolean
  readonly selects: Selection.Selection["selects"]
  readonly names: ReturnType<typeof Selection.makeNames>
  /** Entries to print. With a file, the page that reaches the limit is printed completely. */
  readonly limit: number
  readonly file: CheckpointFile.CheckpointFile | undefined
  readonly format: Format.Format
  readonly shape: Format.Shape<ListEntry>
  readonly allowInvalid: boolean
}

/** How many lists are read at once. */
const concurrency = 8

/** The lists that earlier runs did not complete; first that of the checkpoint. If no list has its ID, the first list reports the mismatch. */
const remaining = ({ file, lists }: Options) => {
  const position = file?.position
  const current = position && (lists.find(({ id }) => id === position.checkpoint.list.id) ?? lists[0])
  const others = lists.filter((list) => list !== current && position?.done.includes(list.id) !== true)
  return { current, left: current === undefined ? others : [current, ...others] }
}

interface ListPage {
  readonly list: Lists.List
  readonly index: number
  readonly page: EventPage
}

/** The entries of a page to print. */
const select = ({ id }: Lists.List, page: EventPage, options: Options, printsInvalid: boolean) => {
  const { isSeveral, join, selects } = options
  const entries = printsInvalid
    ? Entry.fromPage(page)
    : page.items.filter((event) => selects === undefined || selects(event)).map(Entry.fromItem)
  const subscriptions = [id]
  const named = join ? { subscriptions } : { subscription: id }
  return entries.map(({ item, sent }): ListEntry => ({
    item: item && { event: item, subscriptions },
    sent: isSeveral ? { ...named, event: sent } : sent,
  }))
}

/** Merges equal events of several lists, but not invalid entries. */
const merge = (entries: ReadonlyArray<ListEntry>, lists: ReadonlyArray<Lists.List>): ReadonlyArray<ListEntry> => {
  const rows = Map.groupBy(
    entries.flatMap(({ item }) => item ?? []),
    ({ subscriptions: [id] }) => id,
  )
  const outcomes = lists.map(({ id }) => ({
    _tag: "Listed" as const,
    subscription: SubscriptionId.make(id),
    events: (rows.get(id) ?? []).map(({ event }) => event),
    invalid: [],
    older: 0,
  }))
  return [
    ...Sweep.join(outcomes).map(({ event, subscriptions }) => ({
      item: { event, subscriptions },
      sent: { subscriptions, event },
    })),
    ...entries.filter(({ item }) => item === undefined),
  ]
}

export const run = Effect.fnUntraced(function* (options: Options) {
  const { file, format, isSeveral, join, limit, lists, names, selects } = options
  const output = yield* Output
  const position = file?.position
  const { current, left } = remaining(options)
  const printsInvalid = selects === undefined && Format.isLossless(format)
  const prefixOf = ({ id }: Lists.List) => (isSeveral ? `vigil: ${TerminalText.line(id)}: ` : "vigil: ")
  const printedBefore = position?.printed ?? 0
  const count = { ended: 0, failed: 0, entries: 0, events: 0, merged: 0 }
  let isSaved = false
  let isComplete = false
  const progress = yield* Lists.makeProgress(() =>
    isSeveral ? `${count.ended}/${plural(left.length, "subscription")}, ${count.failed} failed, ` : "",
  )
  const failIfIncomplete = Effect.suspend(() => {
    const message = `${count.failed} of ${plural(lists.length, "subscription")} failed: see above.`
    return count.failed === 0 ? Effect.void : new Failure.Incomplete({ message })
  })

  const onFailure = Effect.fnUntraced(function* (list: Lists.List, error: Listing.PagesError) {
    if (file !== undefined && error._tag === "CheckpointMismatch")
      return yield* CheckpointFile.mismatch(file.path, error)
    if (!isSeveral) return yield* Effect.fail(error)
    yield* output.note(prefixOf(list) + Failure.plain(error))
    count.failed += 1
    // The position must not pass pages that were not printed. Without a complete list, the output has no end.
    if (file !== undefined || count.failed === left.length) return yield* failIfIncomplete
  })

  /** Pulls the pages of a list, one after the other. */
  const pull = (list: Lists.List, index: number) =>
    list.pages(list === current ? position?.checkpoint : undefined).pipe(
      Stream.map((page) => ({ list, index, page })),
      Stream.onEnd(Effect.sync(() => void (count.ended += 1))),
      Stream.catch((error) => Stream.fromEffectDrain(onFailure(list, error))),
    )

  /** Selects the entries of a page. */
  const take = Effect.fnUntraced(function* ({ index, list, page }: ListPage) {
    const selected = select(list, page, options, printsInvalid)
    const entries = file === undefined ? selected.slice(0, limit - count.entries) : selected
    count.entries += entries.length
    count.events += entries.filter(({ item }) => item !== undefined).length
    isComplete = index === left.length - 1 && Option.isNone(page.checkpoint.next)
    names.add(page.items)
    yield* Entry.warn(page, { prefix: prefixOf(list) })
    yield* progress.page(page)
    const isLast = count.entries >= limit
    if (file === undefined) return { entries, save: Effect.void, isLast }
    const done = [...(file.position?.done ?? []), ...left.slice(0, index).map(({ id }) => id)]
    const position = { done, checkpoint: page.checkpoint, printed: printedBefore + count.entries }
    return { entries, save: Effect.tap(file.save(position), () => Effect.sync(() => void (isSaved = true))), isLast }
  })

  const noteSaved = Effect.suspend(() =>
    file === undefined || !isSaved ? Effect.void : output.note(CheckpointFile.savedNote(file.path)),
  )
  const pages = Stream.flatMap(Stream.fromIterable(left.entries()), ([index, list]) => pull(list, index), {
    // Lists that can be resumed or end at a limit are read in order.
    concurrency: file !== undefined || limit < Infinity ? 1 : concurrency,
  })
  const parts = pages.pipe(
    Stream.mapEffect(take),
    Stream.takeUntil(({ isLast }) => isLast),
    // A part is saved after it is printed: when the next one is pulled.
    Stream.flatMap(({ entries, save }) => Stream.concat(Stream.make(entries), Stream.fromEffectDrain(save))),
    Stream.tapError(({ _tag }) => (_tag === "FileError" ? Effect.void : noteSaved)),
  )
  const merged = Effect.map(Stream.runCollect(parts), (all) => {
    const entries = merge(all.flat(), lists)
    count.merged = entries.filter(({ item }) => item !== undefined).length
    return entries
  })
  yield* Format.list(format, options.shape, join ? Stream.fromEffect(merged) : parts, file && printedBefore).pipe(
    Effect.provideService(Output, file?.output ?? output),
    Effect.ensuring(output.status(undefined)),
  )

  const isLimited = count.entries >= limit
  if (file !== undefined) yield* isLimited && !isComplete ? noteSaved : file.remove
  if (!isLimited && position === undefined && count.failed === 0)
    yield* Effect.forEach(names.notes(), output.note, { discard: true })
  const events = plural(join ? count.merged : count.events, "event")
  const subscriptions = plural(lists.length, "subscription")
  const where = join
    ? `, seen ${plural(count.events, "time")} in ${subscriptions}`
    : isSeveral
      ? ` of ${subscriptions}`
      : ` on ${plural(progress.tally.pages, "page")}`
  const summary = isLimited ? `${printedBefore === 0 ? "first" : "next"} ${events}` : events + where
  const invalid = printsInvalid ? count.entries - count.events : progress.tally.invalid
  yield* output.note(summary + Entry.remark(invalid, printsInvalid))
  yield* failIfIncomplete
  yield* Entry.check(progress.tally, options.allowInvalid)
})
