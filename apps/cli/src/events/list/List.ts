/** `vigil events list`: pulls the pages of lists, prints the selected entries, and saves the position. */
import { SubscriptionId } from "@vigil/health-client/SubscriptionId"
import * as Events from "@vigil/health-schema/Events"
import * as Limits from "@vigil/health-schema/Limits"
import * as ResourceId from "@vigil/health-schema/ResourceId"
import * as Timestamp from "@vigil/health-schema/Timestamp"
import * as UnknownNames from "@vigil/health-text/UnknownNames"
import * as EmergingEvents from "@vigil/health-verdict/EmergingEvents"
import { everyone } from "@vigil/health-verdict/Subject"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"
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
import * as Beside from "../../lists/Beside.js"
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
  withoutTenant: Connection.withoutTenant,
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
  const { checkpointFile, noHeaders, output, tenantWide, withoutTenant } = given
  yield* Flag.exclusive({ "--tenant-wide": tenantWide, "--without-tenant": withoutTenant })
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
  const selected = (yield* Lists.make(connection, given))(query)
  const beside = Beside.select(connection, given)
  const lists = [...selected, ...Beside.make(connection, beside, query)]
  const isTable = Format.isTable(format)
  /** Whether entries are printed with their subscription, and one that fails does not stop the others. */
  const isSeveral = given.subscriptionsFile !== undefined || selected.length > 1
  // The list of a service group has an event once for each of its subscriptions. Programs know an event of the tenant by its ID.
  const hasSubscriptions = isSeveral || given.serviceGroup !== undefined || (isTable && beside.read.length > 0)
  // Merging requires complete lists. Programs get what each subscription has.
  const readsAll = limit === Infinity || given.sortBy !== undefined || startsWithin !== undefined
  const isMerged = selected.length > 1 && isTable && checkpointFile === undefined && readsAll
  const label = hasSubscriptions ? connection.names.label : undefined
  const table = EventTable.definition(label, selected.length, startsWithin !== undefined)
  const definition = Entry.definition(yield* Columns.choose(table, format, given.columns))
  const defaultOrder = startsWithin !== undefined ? "impactStartTime" : isMerged ? "lastUpdateTime" : undefined
  const sortBy = given.sortBy ?? defaultOrder
  const sort = sortBy === undefined ? undefined : yield* (yield* modules.sorting).make(Entry.definition(table), sortBy)
  const file =
    checkpointFile === undefined ? undefined : yield* (yield* modules.checkpoints).open(checkpointFile, lists)
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
    leftOut: beside.leftOut,
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

/** The owner of a list, or the subscription in the ID of an event in the list of a service group. */
const ownersOf = ({ owner, kind }: Lists.Subject, event: AnyEvent): EventTable.Row["owners"] => {
  if (owner !== undefined) return [owner]
  return kind === "Service group" ? [ResourceId.subscription(event.id)].filter(Schema.is(SubscriptionId)) : []
}

const scopes = { Tenant: "tenant", Everyone: "everyone" } as const

/** An entry with its subscription, or for whom it is otherwise. */
const withOwner = (owner: Lists.Owner | undefined, event: unknown) =>
  typeof owner === "object" ? { scope: scopes[owner._tag], event } : { subscription: owner, event }

/** The entries of a page to print. */
const select = ({ list, page }: Pages.Pulled<AnyEvent>, { isSeveral, printsInvalid, selects }: Options) => {
  const entries = printsInvalid
    ? Entry.fromPage(page)
    : page.items.filter((event) => selects === undefined || selects(event)).map(Entry.fromItem)
  return entries.map(({ item, sent }): Row => ({
    item: item && { event: item, owners: ownersOf(list, item) },
    sent: isSeveral ? withOwner(list.owner, sent) : sent,
  }))
}

/** An event of several lists as one row. Banners repeat titles. */
const merge = Effect.fnUntraced(function* (rows: ReadonlyArray<Row>, lists: Options["lists"]) {
  const { join } = yield* modules.sweep
  const items = Map.groupBy(
    rows.flatMap(({ item = [] }) => item),
    ({ owners: [owner] }) => owner,
  )
  const eventsOf = (owner: Lists.Owner) => {
    const events = (items.get(owner) ?? []).map(({ event }) => event)
    if (owner !== everyone || events.length === 0) return events
    return EmergingEvents.distinct(
      events,
      rows.flatMap(({ item }) => item?.event ?? []),
    )
  }
  const outcomes = lists.flatMap(({ owner: subscription }) => {
    return subscription === undefined ? [] : [{ subscription, events: eventsOf(subscription) }]
  })
  return join(outcomes).map(({ event, subscriptions }) => Entry.fromItem({ event, owners: subscriptions }))
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
const summarize = (printed: Printed, { read, remark, tally }: Pulling, given: Flags, options: Options): string => {
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
  return all + period + older + remark(options.leftOut) + Entry.remark(invalid, printsInvalid)
}

export const command = Command.make({
  description: `List the health events of subscriptions and of the tenant, and emerging issues; with flags, those of named subscriptions, of a resource or of the tenant alone. Without --since, a list has the events that were updated in the last 3 days, or with --starts-within, in the last 90. ${EventSelection.description} Of several subscriptions, one that fails is noted and does not stop the others. A tenant that may not be read is noted. Of several subscriptions, a table has an event of several lists once, unless --limit is given without --sort-by and --starts-within. In other formats, each list has its own. ${Columns.describe(EventTable.fields)}`,
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
