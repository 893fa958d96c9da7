/** `vigil resources list`: prints the current status of each selected resource, and says how many of all are not available. */
import * as StatusChanges from "@vigil/health-client/StatusChanges"
import * as AvailabilityStatus from "@vigil/health-schema/AvailabilityStatus"
import * as Enumerations from "@vigil/health-schema/Enumerations"
import * as UnknownNames from "@vigil/health-text/UnknownNames"
import * as Assessment from "@vigil/health-verdict/Assessment"
import * as Picture from "@vigil/health-verdict/Picture"
import * as Subject from "@vigil/health-verdict/Subject"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { memoize } from "effect/Function"
import * as Order from "effect/Order"
import * as Stream from "effect/Stream"
import * as Command from "../../command/Command.js"
import * as Connection from "../../connection/Connection.js"
import * as Subscriptions from "../../connection/Subscriptions.js"
import * as Flag from "../../flags/Flag.js"
import * as Time from "../../flags/Time.js"
import { UsageError } from "../../flags/UsageError.js"
import * as Entry from "../../lists/Entry.js"
import * as Lists from "../../lists/Lists.js"
import * as Pages from "../../lists/Pages.js"
import * as Pictures from "../../lists/Pictures.js"
import * as Columns from "../../output/Columns.js"
import * as Format from "../../output/Format.js"
import { enumerateSome, note, Output, plural } from "../../output/Output.js"
import * as WhyCommand from "../shared/WhyCommand.js"
import * as StatusTable from "../shared/StatusTable.js"
import * as StatusLists from "./StatusLists.js"
import * as Tally from "./Tally.js"

const flags = {
  ...Connection.flags,
  subscription: Subscriptions.repeated,
  subscriptionsFile: Subscriptions.file,
  serviceGroup: Lists.serviceGroup,
  state: Flag.repeated(
    Flag.oneOf(Enumerations.AvailabilityState.known, "state"),
    "Only this state, such as Unavailable; repeatable",
  ),
  type: Flag.repeated(Flag.text("type"), "Only this type, such as Vendor.Sql/servers; repeatable"),
  group: Flag.repeated(Flag.text("group"), "Only resources of this group; repeatable"),
  name: Flag.repeated(Flag.text("name"), "Only resources with this name; repeatable"),
  allowInvalid: Entry.allowInvalid,
  watch: Flag.boolean("Print the changes of states until interrupted"),
  every: Flag.optional(Time.duration("7 days"), "With --watch, time between polls (default: 5m)"),
  stateFile: Flag.optional(Flag.text("file"), "With --watch, store the states in this file and resume from it"),
  once: Flag.boolean("With --watch, poll once and exit, as for cron"),
  apiVersion: Connection.apiVersion,
  withoutTenant: Connection.withoutTenant,
  columns: Columns.flag,
  output: Format.flag,
}

type Status = AvailabilityStatus.AvailabilityStatus

type Flags = Command.Values<typeof flags>

const checkFlags = Effect.fnUntraced(function* (given: Flags) {
  const { columns, every, once, output, stateFile, watch } = given
  yield* Lists.checkFlags(given)
  yield* Flag.exclusive({ "--watch": watch, "--service-group": given.serviceGroup !== undefined })
  yield* Flag.exclusive({ "--watch": watch, "--columns": columns !== undefined })
  if (watch && output !== "table" && output !== "jsonl")
    return yield* new UsageError(`--watch and --output ${output} are mutually exclusive: pass --output jsonl.`)
  const forWatch = { "--every": every, "--state-file": stateFile, "--once": once || undefined }
  for (const [name, value] of Object.entries(forWatch))
    if (value !== undefined && !watch) return yield* new UsageError(`${name} requires --watch.`)
})

/** Reads a stream to its end. Returns its elements, and then its error. */
const readAll = <A, E, R>(stream: Stream.Stream<A, E, R>): Effect.Effect<Stream.Stream<A, E>, never, R> => {
  const all: Array<A> = []
  return Effect.map(Effect.exit(Stream.runForEach(stream, (one) => Effect.sync(() => all.push(one)))), (exit) =>
    Stream.concat(Stream.fromIterable(all), Stream.fromEffectDrain(exit)),
  )
}

/** The rows of a table, what does not work first. Those before an error are shown, too. */
const sort = <E, R>(parts: Stream.Stream<ReadonlyArray<Entry.Entry<Status>>, E, R>, assess: StatusTable.Assess) => {
  const order = Order.mapInput(Assessment.order, ({ item }: { readonly item: Status }) => assess(item))
  const rows: Array<{ readonly item: Status; readonly sent: unknown }> = []
  const add = (part: ReadonlyArray<Entry.Entry<Status>>) =>
    Effect.sync(() => {
      for (const { item, sent } of part) if (item !== undefined) rows.push({ item, sent })
    })
  return Stream.unwrap(
    Effect.map(Effect.exit(Stream.runForEach(parts, add)), (exit) =>
      Stream.concat(
        Stream.sync(() => {
          // A resource may be on two pages.
          const last = new Set(StatusChanges.distinct(rows.map(({ item }) => item)))
          return rows.filter(({ item }) => last.has(item)).toSorted(order)
        }),
        Stream.fromEffectDrain(exit),
      ),
    ),
  )
}

/** Prints the selected statuses, and says how many of all resources are not available. */
const print = Effect.fnUntraced(function* (
  connection: Connection.Health,
  { ids, lists }: Effect.Success<ReturnType<typeof StatusLists.make>>,
  given: Flags,
) {
  const { names } = connection
  const { output: format } = given
  const isSeveral = ids.length > 1
  const pulling = yield* Pages.make(lists, {
    isSeveral: lists.length > 1,
    concurrency: Subscriptions.concurrency,
    noun: Lists.statusNoun,
    wholeTimeout: Lists.wholeTimeout(connection),
  })
  // A table waits for all of both. Programs get each page at once.
  const { causes, pages } = yield* Effect.all(
    {
      causes: Pictures.read(connection, { subscriptions: ids }, { withStatuses: false }),
      pages: Format.isTable(format) ? readAll(pulling.pages) : Effect.succeed(pulling.pages),
    },
    { concurrency: "unbounded" },
  )
  const now = yield* Clock.currentTimeMillis
  const assess = memoize(Picture.assess({ ...causes, now }))
  const StatusText = yield* Effect.promise(() => import("@vigil/health-report/StatusText"))
  const table = StatusTable.definition({ assess, now, why: StatusText.why }, isSeveral ? names.label : undefined)
  const definition = Entry.definition(yield* Columns.choose(table, format, given.columns))
  const isAll = [given.state, given.type, given.group, given.name].every(({ length }) => length === 0)
  const printsInvalid = isAll && Format.isLossless(format)
  const unknown = UnknownNames.ofResources(given)
  const tally = Tally.make(given, assess)
  const parts = Stream.map(pages, ({ page }) => {
    unknown.add(page.items.map(AvailabilityStatus.resourceId))
    const selected = tally.select(StatusChanges.distinct(page.items))
    return printsInvalid ? Entry.fromPage(page) : selected.map(Entry.fromItem)
  })
  const { status } = yield* Output
  const rows = Format.isTable(format) ? sort(parts, assess) : parts
  yield* Effect.ensuring(Format.list(format, definition, rows), status(undefined))
  const read = new Set<string>(pulling.read().map(({ id }) => id))
  const isGroup = given.serviceGroup !== undefined
  // Of a subscription whose resources were not read, this was said.
  const explaining = causes.events.filter(
    ({ subject }) => !Subject.isSubscription(subject) || isGroup || read.has(subject),
  )
  yield* Pictures.noteGaps(connection, { ...causes, events: explaining }, "resources")
  const failed = pulling.failed()
  // A subscription that was not read may have the names.
  if (failed === 0)
    yield* Effect.forEach(unknown.sentences(), (sentence) => note(`vigil: ${sentence}`), { discard: true })
  const subscriptions = plural(ids.length, "subscription")
  const source = Lists.summary(connection, lists)
  const covered = isAll ? `In ${source},` : `All of ${source}:`
  const where = failed === 0 ? covered : `Only ${ids.length - failed} of ${subscriptions} could be read,`
  const invalid = Entry.remark(pulling.tally.invalid, printsInvalid)
  const remark = Pictures.remark(connection, { ...causes, events: explaining })
  yield* note(`${isAll ? "" : `${tally.shown()}. `}${where} ${tally.notAvailable()}${remark}${invalid}`)
  const nearby = Picture.nearby({ ...causes, now }, tally.all())
  if (nearby.length > 0) {
    const are = nearby.length === 1 ? "event is" : "events are"
    yield* note(`${nearby.length} more ${are} active in their services and regions: ${enumerateSome(nearby)}`)
  }
  const first = Format.isTable(format) ? tally.first() : undefined
  const all = tally.all().map(({ status }) => status)
  const why = first && WhyCommand.make(connection, given, { ...first, all, count: ids.length })
  if (why !== undefined) yield* note(`Next: ${why}`)
  yield* pulling.failIfIncomplete
  yield* Pictures.end({ ...causes, events: explaining })
  yield* Entry.check(pulling.tally, given.allowInvalid, "vigil resources list --output json")
})

export const command = Command.make({
  description: `List the state of the resources of subscriptions, and who caused it, from the events of the last 90 days. A subscription that fails is noted and does not stop the others. The last line says how many of all resources that were read are not available, whatever is selected. What the service does not list is not known to be available. ${Columns.describe(StatusTable.fields({ assess: Assessment.make(0), now: 0, why: () => "" }))}`,
  examples: [
    "vigil resources list --sandbox",
    "vigil resources list --sandbox --state Unavailable --state Degraded --output csv",
    "vigil resources list --sandbox --watch --once --output jsonl",
  ],
  flags,
  run: function* (given) {
    yield* checkFlags(given)
    const connection = yield* Connection.health(given)
    if (!given.watch) return yield* print(connection, yield* StatusLists.make(connection, given), given)
    const ids = yield* Subscriptions.several(connection, given)
    const { watch } = yield* Effect.promise(() => import("./Watch.js"))
    yield* watch(connection, ids, given)
  },
})
