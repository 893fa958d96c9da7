/** `vigil events list`: pulls the pages of lists, prints the selected entries, and saves the position. */
import * as SubscriptionId from "@vigil/health-client/SubscriptionId"
import * as Events from "@vigil/health-schema/Events"
import * as Limits from "@vigil/health-schema/Limits"
import * as ResourceId from "@vigil/health-schema/ResourceId"
import * as Timestamp from "@vigil/health-schema/Timestamp"
import * as UnknownNames from "@vigil/health-text/UnknownNames"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Stream from "effect/Stream"
import * as Command from "../../command/Command.js"
import type { AnyEvent } from "../../connection/AnyEvent.js"
import * as Connection from "../../connection/Connection.js"
import * as Subscriptions from "../../connection/Subscriptions.js"
import * as Flag from "../../flags/Flag.js"
import * as Time from "../../flags/Time.js"
import { UsageError } from "../../flags/UsageError.js"
import * as Columns from "../../output/Columns.js"
import * as Format from "../../output/Format.js"
import { note, Output, plural } from "../../output/Output.js"
import * as Entry from "../../lists/Entry.js"
import * as EventTable from "../shared/EventTable.js"
import * as Lists from "../../lists/Lists.js"
import * as Pages from "../../lists/Pages.js"
import * as EventSelection from "../../lists/EventSelection.js"

const flags = {
  ...Connection.flags,
  ...Lists.flags,
  serviceGroup: Lists.serviceGroup,
  subscriptionsFile: Subscriptions.file,
  since: Time.since("3d"),
  ...EventSelection.flags,
  limit: Flag.optional(Flag.integer("n", 1), "Stop after n events; with --checkpoint-file, after their page"),
  allowInvalid: Entry.allowInvalid,
  checkpointFile: Flag.optional(Flag.text("file"), "Save the position in this file and resume from it"),
  apiVersion: Connection.apiVersion,
  startsWithin: Flag.optional(Time.duration("52 weeks"), "Only events that start within this time, such as 7d"),
  columns: Columns.flag,
  sortBy: Flag.optional(Flag.text("column"), "Sort by a column, such as level"),
  noHeaders: Format.noHeaders,
  output: Format.flag,
}

type Flags = Command.Values<typeof flags>

/** Planned events are announced weeks before, and may have no update since. */
const sinceOf = ({ since, startsWithin }: Flags): Time.Since | undefined =>
  since ?? (startsWithin === undefined ? undefined : Duration.days(Limits.activeDaysBack))

/** Whether the impact of an event starts in this time, and the event is not resolved. */
const startsIn = (from: DateTime.Utc, to: DateTime.Utc) => (event: AnyEvent) =>
  Events.isActive(event) &&
  Option.exists(Timestamp.instant(event.properties?.impactStartTime), DateTime.between({ minimum: from, maximum: to }))

const checkFlags = Effect.fnUntraced(function* (given: Flags) {
  const { checkpointFile, noHeaders, output } = given
  yield* Flag.exclusive({ "--no-headers": noHeaders, [`--output ${output}`]: Format.isLossless(output) })
  yield* Lists.checkFlags(given)
  if (checkpointFile !== undefined && output === "json")
    return yield* new UsageError(
      "--checkpoint-file and --output json are mutually exclusive: a JSON array can't be resumed. Pass --output jsonl.",
    )
  // A sorted list can't be resumed.
  for (const [name, value] of Object.entries({ "--sort-by": given.sortBy, "--starts-within": given.startsWithin }))
    yield* Flag.exclusive({ [name]: value !== undefined, "--checkpoint-file": checkpointFile !== undefined })
})

/** Loaded only with the flags that need them. */
const modules = {
  checkpoints: Effect.promise(() => import("./CheckpointFile.js")),
  sweep: Effect.promise(() => import("@vigil/health-client/Sweep")),
  sorting: Effect.promise(() => import("../../output/Sorting.js")),
}

const sandboxProblem =
  "belongs to the sandbox of an earlier command, which has ended. To resume lists, run vigil sandbox and the lines that it prints"

/** What the flags ask for: the lists, how their entries are selected and printed, and where the position is saved. */
const prepare = Effect.fnUntraced(function* (given: Flags) {
  const { checkpointFile, limit = Infinity, noHeaders, output: format } = given
  const { filter, selects: isSelected } = EventSelection.make(given)
  const { startsWithin } = given
  const now = yield* DateTime.now
  const isSoon = startsWithin === undefined ? undefined : startsIn(now, DateTime.addDuration(now, startsWithin))
  const selects =
    isSoon === undefined ? isSelected : (event: AnyEvent) => isSoon(event) && isSelected?.(event) !== false
  const connection = yield* Connection.health(given)
  const query = { apiVersion: connection.apiVersion, filter, queryStartTime: sinceOf(given) }
  const lists = (yield* Lists.make(connection, given))(query)
  /** Whether entries are printed with their subscription, and one that fails does not stop the others. */
  const isSeveral = given.subscriptionsFile !== undefined || lists.length > 1
  // The list of a service group has an event once for each of its subscriptions.
  const hasSubscriptions = isSeveral || given.serviceGroup !== undefined
  // Merging requires complete lists. Programs get what each subscription has.
  const readsAll = limit === Infinity || given.sortBy !== undefined || startsWithin !== undefined
  const isMerged = lists.length > 1 && Format.isTable(format) && checkpointFile === undefined && readsAll
  const label = hasSubscriptions ? connection.names.label : undefined
  const table = EventTable.definition(label, lists.length, startsWithin !== undefined)
  const definition = Entry.definition(yield* Columns.choose(table, format, given.columns))
  const defaultOrder = startsWithin !== undefined ? "impactStartTime" : isMerged ? "lastUpdateTime" : undefined
  const sortBy = given.sortBy ?? defaultOrder
  const sort = sortBy === undefined ? undefined : yield* (yield* modules.sorting).make(Entry.definition(table), sortBy)
  const ids = lists.map(({ id }) => id)
  const file = checkpointFile === undefined ? undefined : yield* (yield* modules.checkpoints).open(checkpointFile, ids)
  if (file?.position !== undefined) {
    if (connection.sandbox !== undefined) return yield* file.refuse(sandboxProblem)
    yield* note(`Resuming after page ${file.position.checkpoint.pages} from ${JSON.stringify(checkpointFile)}.`)
  }
  const printsInvalid = selects === undefined && Format.isLossless(format)
  // Lists that can be resumed or end at a limit are read in order.
  const isInOrder = file !== undefined || (limit < Infinity && sort === undefined)
  return {
    definition,
    file,
    format,
    isSeveral,
    isMerged,
    limit,
    lists,
    names: connection.names,
    noHeaders,
    printsInvalid,
    selects,
    sort,
    concurrency: isInOrder ? 1 : Subscriptions.concurrency,
    wholeTimeout: isMerged || sort !== undefined ? Lists.wholeTimeout(connection) : undefined,
  }
})

type Options = Effect.Success<ReturnType<typeof prepare>>

type Row = Entry.Entry<EventTable.Row>

const isEvent = ({ item }: Row): boolean => item !== undefined

/** The subscription of a list, or of the ID of an event in the list of a service group. */
const subscriptionsOf = ({ id, kind }: Lists.Subject, event: AnyEvent): ReadonlyArray<string> =>
  kind === "Service group" ? [ResourceId.subscription(event.id ?? "")].filter(Predicate.isString) : [id]

/** The entries of a page to print. */
const select = ({ list, page }: Pages.Pulled<AnyEvent>, { isSeveral, printsInvalid, selects }: Options) => {
  const entries = printsInvalid
    ? Entry.fromPage(page)
    : page.items.filter((event) => selects === undefined || selects(event)).map(Entry.fromItem)
  return entries.map(({ item, sent }): Row => ({
    item: item && { event: item, subscriptions: subscriptionsOf(list, item) },
    sent: isSeveral ? { subscription: list.id, event: sent } : sent,
  }))
}

/** An event of several subscriptions as one row. */
const merge = Effect.fnUntraced(function* (rows: ReadonlyArray<Row>, lists: Options["lists"]) {
  const { join } = yield* modules.sweep
  const items = Map.groupBy(
    rows.flatMap(({ item = [] }) => item),
    ({ subscriptions: [id] }) => id,
  )
  const outcomes = lists.map(({ id }) => ({
    subscription: SubscriptionId.make(id),
    events: (items.get(id) ?? []).map(({ event }) => event),
  }))
  return join(outcomes).map(Entry.fromItem)
})

/** Prints the entries of pages up to the limit, and saves the position after each printed page. Returns what it printed. */
const print = Effect.fnUntraced(function* <E, R>(pages: Stream.Stream<Pages.Pulled<AnyEvent>, E, R>, options: Options) {
  const { definition, file, format, isMerged, limit, lists, noHeaders, sort } = options
  // A sorted list has its first entries once it is complete.
  const readLimit = sort === undefined ? limit : Infinity
  const output = yield* Output
  const printedBefore = file?.position?.printed ?? 0
  const noteSaved = file?.noteSaved ?? Effect.void
  const printed = { entries: 0, events: 0, isEnd: false }
  const parts = pages.pipe(
    Stream.map((pulled) => {
      const selected = select(pulled, options)
      const entries = file === undefined ? selected.slice(0, readLimit - printed.entries) : selected
      printed.entries += entries.length
      printed.events += entries.filter(isEvent).length
      const { done, isEnd, page } = pulled
      printed.isEnd = isEnd
      const position = { done, checkpoint: page.checkpoint, printed: printedBefore + printed.entries }
      return { entries, isLast: printed.entries >= readLimit, save: file?.save(position) ?? Effect.void }
    }),
    Stream.takeUntil(({ isLast }) => isLast),
    // A part is saved after it is printed: when the next one is pulled.
    Stream.flatMap(({ entries, save }) => Stream.concat(Stream.make(entries), Stream.fromEffectDrain(save))),
    Stream.tapError((error) => (Predicate.isTagged(error, "FileError") ? Effect.void : noteSaved)),
  )
  const merged = Effect.flatMap(Stream.runCollect(parts), (all) => merge(all.flat(), lists))
  const entries = isMerged ? Stream.fromEffect(merged) : parts
  const first = (sorted: ReadonlyArray<Row>) => {
    const shown = sorted.slice(0, limit)
    Object.assign(printed, { entries: shown.length, events: shown.filter(isEvent).length })
    return shown
  }
  const resumable = file && { printedBefore }
  yield* Format.list(format, definition, sort === undefined ? entries : Stream.map(sort(entries), first), {
    hasHeadings: !noHeaders,
    resumable,
  }).pipe(Effect.provideService(Output, file?.output ?? output), Effect.ensuring(output.status(undefined)))
  return { ...printed, isFirst: printedBefore === 0, isLimited: printed.entries >= limit }
})

type Printed = Effect.Success<ReturnType<typeof print>>
type Pulling = Effect.Success<ReturnType<typeof Pages.make>>

/** How many events were printed, of what, and what was not. */
const summarize = (printed: Printed, { read, tally }: Pulling, given: Flags, options: Options): string => {
  const { file, names, printsInvalid } = options
  // A service group lists what may concern its members.
  const relation = given.serviceGroup === undefined ? "of" : "that may be relevant to"
  const events = `${plural(printed.events, "event")} ${relation} ${Lists.summary({ names }, read())}`
  const start = printed.isLimited ? (printed.isFirst ? "first " : "next ") : ""
  const pages = printed.isLimited ? "" : ` on ${plural(tally.pages, "page")}`
  const all = start + events + pages
  const since = sinceOf(given)
  const period = file?.position === undefined ? Lists.period({ ...given, since }, Limits.defaultDaysBack) : ""
  // A service leaves an active event as it is until its next update.
  const isOfNow = given.status.includes("Active") || given.type.includes("PlannedMaintenance")
  const older =
    period !== "" && since === undefined && isOfNow
      ? ` (older events may be active: pass --since ${Limits.activeDaysBack}d)`
      : ""
  const invalid = printsInvalid ? printed.entries - printed.events : tally.invalid
  return all + period + older + Entry.remark(invalid, printsInvalid)
}

export const command = Command.make({
  description: `List the health events of subscriptions, of a resource or of the tenant. Without --since, the list of a subscription or the tenant has the events that were updated in the last 3 days, or with --starts-within, in the last 90. ${EventSelection.description} Of several subscriptions, one that fails is noted and does not stop the others. A table has an event of several subscriptions once, unless --limit is given without --sort-by and --starts-within. In other formats, each subscription has its own. ${Columns.describe(EventTable.fields)}`,
  examples: [
    "vigil events list --sandbox",
    "vigil events list --sandbox --type ServiceIssue --status Active --since 12h",
    `vigil events list --sandbox --service "Blob Storage" --output jsonl --limit 10`,
    "vigil events list --sandbox --service-group web-shop",
    "vigil events list --sandbox --columns level,status,title",
    "vigil events list --sandbox --subscriptions-file subscriptions.txt --output csv",
  ],
  flags,
  run: function* (given) {
    yield* checkFlags(given)
    const options = yield* prepare(given)
    const { file, lists } = options
    const names = UnknownNames.make(given)
    const pulling = yield* Pages.make(lists, options)
    const pages = Stream.tap(pulling.pages, ({ page }) => Effect.sync(() => names.add(page.items)))
    const printed = yield* print(pages, options)
    if (file !== undefined) yield* printed.isLimited && !printed.isEnd ? file.noteSaved : file.remove
    // A part of the lists may not have the names of filters.
    if (!printed.isLimited && file?.position === undefined && pulling.failed() === 0)
      yield* Effect.forEach(names.sentences(), (sentence) => note(`vigil: ${sentence}`), { discard: true })
    yield* note(summarize(printed, pulling, given, options))
    yield* pulling.failIfIncomplete
    yield* Entry.check(pulling.tally, given.allowInvalid)
  },
})
