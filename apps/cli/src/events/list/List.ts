/** `vigil events list`: pulls the pages of lists, selects and prints their entries, and saves the position. */
import type * as Listing from "@vigil/health-client/Listing"
import * as UnknownNames from "@vigil/health-text/UnknownNames"
import * as Limits from "@vigil/health-schema/Limits"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as Command from "../../command/Command.js"
import * as Failure from "../../command/Failure.js"
import * as Flag from "../../flags/Flag.js"
import * as Format from "../../output/Format.js"
import { note, notePrefix, Output, plural } from "../../output/Output.js"
import * as Connection from "../../connection/Connection.js"
import type { EventPage } from "../../connection/AnyEvent.js"
import * as Entry from "../shared/Entry.js"
import * as EventTable from "../shared/EventTable.js"
import * as Lists from "../shared/Lists.js"
import * as Selection from "../shared/Selection.js"
import * as Time from "../../flags/Time.js"
import { UsageError } from "../../flags/UsageError.js"
import * as Subscriptions from "../../connection/Subscriptions.js"
import * as InvalidEntries from "../../connection/InvalidEntries.js"
import * as Columns from "../../output/Columns.js"

const flags = {
  ...Connection.flags,
  ...Lists.flags,
  subscriptionsFile: Subscriptions.file,
  join: Flag.boolean("Merge the same event of several subscriptions"),
  since: Time.since("3d"),
  ...Selection.flags,
  limit: Flag.optional(Flag.integer("n", 1), "Stop after n events; with --checkpoint-file, after their page"),
  allowInvalid: Entry.allowInvalid,
  checkpointFile: Flag.optional(Flag.text("file"), "Save the position in this file and resume from it"),
  apiVersion: Connection.apiVersion,
  columns: Columns.flag,
  output: Format.flag,
}

const check = Effect.fnUntraced(function* (given: Command.Values<typeof flags>) {
  const { checkpointFile, join, limit, output, resource, tenantWide } = given
  yield* Lists.checkFlags(given)
  if (checkpointFile !== undefined && output === "json")
    return yield* new UsageError(
      "--checkpoint-file and --output json are mutually exclusive: a JSON array can't be resumed. Pass --output jsonl.",
    )
  if (!join) return
  if (tenantWide || resource !== undefined)
    return yield* new UsageError("--join requires subscriptions: omit --resource and --tenant-wide.")
  const other = checkpointFile !== undefined ? "--checkpoint-file" : limit !== undefined ? "--limit" : undefined
  if (other !== undefined)
    return yield* new UsageError(`--join and ${other} are mutually exclusive: merging requires complete lists.`)
})

/** Loaded only with `--checkpoint-file`. */
const checkpoints = Effect.promise(() => import("./CheckpointFile.js"))

/** Loaded only with `--join`. */
const joining = Effect.promise(() => import("./Join.js"))

const sandboxProblem =
  "belongs to the sandbox of an earlier command, which has ended. To resume lists, run vigil sandbox and the lines that it prints"

/** What is listed, and how it is selected, printed and saved. */
const prepare = Effect.fnUntraced(function* (given: Command.Values<typeof flags>) {
  const { allowInvalid, checkpointFile, join, limit = Infinity, output: format } = given
  const { filter, selects } = Selection.make(given)
  const connection = yield* Connection.health(given)
  const { apiVersion } = connection
  const lists = yield* Lists.make(connection, given, { apiVersion, filter, queryStartTime: given.since })
  /** Whether entries are printed with their subscription, and one that fails does not stop the others. */
  const isSeveral = join || given.subscriptionsFile !== undefined || lists.length > 1
  const name = join ? "subscriptions" : isSeveral ? "subscription" : undefined
  const definition = Entry.definition(
    yield* Columns.choose(EventTable.definition(name, connection.names.label), format, given.columns),
  )
  const ids = lists.map(({ id }) => id)
  const file = checkpointFile === undefined ? undefined : yield* (yield* checkpoints).open(checkpointFile, ids)
  if (file?.position !== undefined) {
    if (connection.sandbox !== undefined) return yield* file.refuse(sandboxProblem)
    yield* note(`Resuming after page ${file.position.checkpoint.pages} from ${JSON.stringify(checkpointFile)}.`)
  }
  const names = UnknownNames.make(given)
  const period = file?.position === undefined ? Lists.period(given, Limits.defaultDaysBack) : ""
  return { allowInvalid, definition, file, format, isSeveral, join, limit, lists, names, period, selects }
})

type Options = Effect.Success<ReturnType<typeof prepare>>

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
  return entries.map(({ item, sent }): Entry.Entry<EventTable.Row> => ({
    item: item && { event: item, subscriptions },
    sent: isSeveral ? { ...named, event: sent } : sent,
  }))
}

/** Prints the entries and the summary, and saves the position after each printed page. */
const print = Effect.fnUntraced(function* (options: Options) {
  const { file, format, isSeveral, join, limit, lists, names, selects } = options
  const output = yield* Output
  const position = file?.position
  const { current, left } = remaining(options)
  const printsInvalid = selects === undefined && Format.isLossless(format)
  const prefixOf = ({ title }: Lists.List) => notePrefix(isSeveral ? title : undefined)
  const printedBefore = position?.printed ?? 0
  const count = { ended: 0, failed: 0, entries: 0, events: 0, merged: 0 }
  let isComplete = false
  const progress = yield* Lists.makeProgress(() =>
    isSeveral ? `${count.ended}/${plural(left.length, "subscription")}, ${count.failed} failed, ` : "",
  )
  const failIfIncomplete = Effect.suspend(() => Lists.failIfIncomplete(count.failed, lists.length))

  const onFailure = Effect.fnUntraced(function* (list: Lists.List, error: Listing.PagesError) {
    if (file !== undefined && error._tag === "CheckpointMismatch") return yield* file.mismatch(error)
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
    isComplete = index === left.length - 1 && page.checkpoint.next === undefined
    names.add(page.items)
    yield* InvalidEntries.note(page, { prefix: prefixOf(list) })
    yield* progress.page(page)
    const isLast = count.entries >= limit
    if (file === undefined) return { entries, save: Effect.void, isLast }
    const done = [...(file.position?.done ?? []), ...left.slice(0, index).map(({ id }) => id)]
    const position = { done, checkpoint: page.checkpoint, printed: printedBefore + count.entries }
    return { entries, save: file.save(position), isLast }
  })

  const noteSaved = file === undefined ? Effect.void : file.noteSaved
  const pages = Stream.flatMap(Stream.fromIterable(left.entries()), ([index, list]) => pull(list, index), {
    // Lists that can be resumed or end at a limit are read in order.
    concurrency: file !== undefined || limit < Infinity ? 1 : Lists.concurrency,
  })
  const parts = pages.pipe(
    Stream.mapEffect(take),
    Stream.takeUntil(({ isLast }) => isLast),
    // A part is saved after it is printed: when the next one is pulled.
    Stream.flatMap(({ entries, save }) => Stream.concat(Stream.make(entries), Stream.fromEffectDrain(save))),
    Stream.tapError(({ _tag }) => (_tag === "FileError" ? Effect.void : noteSaved)),
  )
  const merged = Effect.gen(function* () {
    const all = yield* Stream.runCollect(parts)
    const entries = (yield* joining).merge(all.flat(), lists)
    count.merged = entries.filter(({ item }) => item !== undefined).length
    return entries
  })
  yield* Format.list(
    format,
    options.definition,
    join ? Stream.fromEffect(merged) : parts,
    file && { printedBefore },
  ).pipe(Effect.provideService(Output, file?.output ?? output), Effect.ensuring(output.status(undefined)))

  const isLimited = count.entries >= limit
  if (file !== undefined) yield* isLimited && !isComplete ? noteSaved : file.remove
  if (!isLimited && position === undefined && count.failed === 0)
    yield* Effect.forEach(names.sentences(), (sentence) => output.note(`vigil: ${sentence}`), { discard: true })
  const events = plural(join ? count.merged : count.events, "event")
  const subscriptions = plural(lists.length, "subscription")
  const where = join
    ? `, seen ${plural(count.events, "time")} in ${subscriptions}`
    : isSeveral
      ? ` of ${subscriptions}`
      : ` on ${plural(progress.tally.pages, "page")}`
  const summary = isLimited ? `${printedBefore === 0 ? "first" : "next"} ${events}` : events + where
  const invalid = printsInvalid ? count.entries - count.events : progress.tally.invalid
  yield* output.note(summary + options.period + Entry.remark(invalid, printsInvalid))
  yield* failIfIncomplete
  yield* Entry.check(progress.tally, options.allowInvalid)
})

export const command = Command.make({
  description: `List the health events of subscriptions, of a resource or of the tenant. Without --since, the list of a subscription or the tenant has the events of the last three days. ${Selection.description} Of several subscriptions, one that fails is noted and does not stop the others. ${Columns.describe(EventTable.fields)}`,
  examples: [
    "vigil events list --sandbox",
    "vigil events list --sandbox --type ServiceIssue --status Active --since 12h",
    `vigil events list --sandbox --service "Blob Storage" --output jsonl --limit 10`,
    "vigil events list --sandbox --columns level,status,title",
    "vigil events list --sandbox --subscriptions-file subscriptions.txt --join --output csv",
  ],
  flags,
  run: function* (given) {
    yield* check(given)
    yield* print(yield* prepare(given))
  },
})
