/** Reads what an answer is made from: the lists of subscriptions, of the tenant and of everyone. Notes what failed, and decides how the command ends. */
import { AvailabilityClient } from "@vigil/health-client/AvailabilityClient"
import { HealthClient } from "@vigil/health-client/HealthClient"
import type * as ListLimit from "@vigil/health-client/ListLimit"
import type { QueryStartTime } from "@vigil/health-client/QueryStartTime"
import * as Coverage from "@vigil/health-verdict/Coverage"
import type * as EventList from "@vigil/health-verdict/EventList"
import * as ImpactedLists from "@vigil/health-verdict/ImpactedLists"
import * as Picture from "@vigil/health-verdict/Picture"
import * as Subject from "@vigil/health-verdict/Subject"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { CommandError } from "../command/CommandError.js"
import type * as Defect from "../output/Defect.js"
import * as Failure from "../command/Failure.js"
import type { Health } from "../connection/Connection.js"
import * as InvalidEntries from "../connection/InvalidEntries.js"
import * as Subscriptions from "../connection/Subscriptions.js"
import { note, notePrefix, Output, plural } from "../output/Output.js"
import * as Lists from "./Lists.js"

type Limit = Defect.Defect | ListLimit.ListLimit

/** What a command has read. */
export type Read = Picture.Picture<Limit>

interface Options extends Pick<EventList.Options<Limit>, "onPage" | "selects"> {
  /** Whether to read the statuses of resources. */
  readonly withStatuses: boolean
  readonly queryStartTime?: QueryStartTime | undefined
  /** Runs the lists that the answer needs, and those that follow. Default: each within `Lists.wholeTimeout`, and `Lists.runLast`. */
  readonly run?: EventList.Run<Limit>
  readonly runLast?: EventList.Run<Limit>
}

/** Reads the lists of a scope, and shows how many are read. The setting leaves out the tenant. */
export const read = Effect.fnUntraced(function* (
  { apiVersion, availability, client, listTimeout, withoutTenant }: Health,
  scope: Picture.Scope,
  { onPage = () => Effect.void, queryStartTime, selects, withStatuses, ...options }: Options,
) {
  const { status } = yield* Output
  const start = yield* Clock.currentTimeMillis
  const { run = Lists.run({ listTimeout }), runLast = Lists.runLast({ listTimeout }, start) } = options
  let [lists, events] = [0, 0]
  const show = Effect.suspend(() => status(`${plural(lists, "list")} read, ${plural(events, "event")}`))
  const counted =
    (run: EventList.Run<Limit>): EventList.Run<Limit> =>
    (list, subject) =>
      Effect.ensuring(
        run(list, subject),
        Effect.suspend(() => {
          lists += 1
          return show
        }),
      )
  const all: Picture.Scope = { ...scope, withoutTenant: scope.withoutTenant === true || withoutTenant }
  const how = {
    apiVersion,
    concurrency: Subscriptions.concurrency,
    describe: Failure.plain,
    isBrief: true,
    queryStartTime,
    selects,
    run: counted(run),
    runLast: counted(runLast),
    onPage: ((page, subject) => {
      events += page.items.length
      return Effect.andThen(onPage(page, subject), show)
    }) satisfies EventList.Options["onPage"],
  }
  const reading: Effect.Effect<Read, never, AvailabilityClient | HealthClient> = withStatuses
    ? Picture.read<Limit>(all, how)
    : Picture.readEvents<Limit>(all, how)
  return yield* reading.pipe(
    Effect.provideServiceEffect(AvailabilityClient, availability),
    Effect.provideService(HealthClient, client),
    Effect.ensuring(status(undefined)),
  )
})

const isFailed = ({ error }: Read["events"][number] | Read["statuses"][number]): boolean => error !== undefined

/** The lists that failed. Not those that the credential may not read: `Coverage` names them beside each claim. */
const failures = ({ events, statuses }: Read) => {
  const outside = new Set<unknown>(Picture.outside({ events }))
  return [...events, ...statuses].filter((list) => isFailed(list) && !outside.has(list))
}

/** Returns what a claim is not about, in brackets, and why, unless `noteGaps` has said that. */
export const remark = ({ names }: Pick<Health, "names">, picture: Read): string => {
  const noted = picture.events.filter((list) => isFailed(list) || list.invalid.length > 0)
  const phrases = Coverage.gaps(picture).map((gap) => {
    const isNoted = gap.kind === "failed" && noted.some(({ subject }) => subject === gap.subject)
    return (isNoted ? Coverage.brief : Coverage.phrase)(gap, names.title)
  })
  return phrases.length === 0 ? "" : ` (${phrases.join("; ")})`
}

/** Fails if lists failed, which were noted. */
export const end = (picture: Read): Effect.Effect<void, CommandError> => {
  const { events, impacted, statuses } = picture
  const failed = failures(picture)
  const unread = impacted.events.filter(({ problem }) => problem !== undefined)
  const all = [...failed.map(({ subject }) => subject), ...unread.map(({ owner }) => owner)]
  const subjects = [...new Map(all.map((one) => [Subject.key(one), one])).values()]
  const ofSubscriptions = subjects.filter(Subject.isSubscription).length
  const required = [...events, ...statuses].filter(({ subject }) => Subject.isSubscription(subject))
  const total = new Set(required.map(({ subject }) => Subject.key(subject))).size
  const names = [
    ...(ofSubscriptions === 0 ? [] : [`${ofSubscriptions} of ${plural(total, "subscription")}`]),
    ...subjects.flatMap((subject) => (Subject.isSubscription(subject) ? [] : [Subject.label(subject)])),
    ...(impacted.metadata?.problem === undefined ? [] : ["the metadata of services"]),
  ]
  const errors = required.flatMap(({ error }) => error ?? [])
  return Lists.failIfAny(names, Failure.exitOfSeveral(errors, required.length))
}

/**
 * Notes the lists that failed, and invalid entries. `about`: what the answer is of; the lists of the other kind are named. Fails with the error of the only
 * list of that kind, or if all of them failed. The tenant and everyone count only without subscriptions.
 */
export const noteGaps = Effect.fnUntraced(function* (
  { names }: Pick<Health, "names">,
  picture: Read,
  about: "events" | "resources",
) {
  const { events, impacted, statuses } = picture
  const ofSubscriptions = events.filter(({ subject }) => Subject.isSubscription(subject))
  const needed = about === "resources" ? statuses : ofSubscriptions.length > 0 ? ofSubscriptions : events
  const [first, ...others] = needed
  if (first?.error !== undefined && others.length === 0) return yield* Effect.fail(first.error)
  const prefixOf = (subject: Subject.Subject, kind: typeof about): string => {
    if (!Subject.isSubscription(subject)) return notePrefix(Subject.label(subject))
    const title = ofSubscriptions.length > 1 ? [names.title(subject)] : []
    return notePrefix([...title, ...(kind === about ? [] : [kind])].join(", ") || undefined)
  }
  const failed = new Set<unknown>(failures(picture))
  const noteList = Effect.fnUntraced(function* (list: Read["events"][number] | Read["statuses"][number]) {
    const isEvents = "events" in list
    const prefix = prefixOf(list.subject, isEvents ? "events" : "resources")
    yield* InvalidEntries.note(list, { noun: isEvents ? undefined : Lists.statusNoun.entry, prefix })
    if (failed.has(list)) yield* note(`${prefix}${list.problem}`)
  })
  yield* Effect.forEach([...events, ...statuses], noteList, { discard: true })
  for (const { problem, source } of ImpactedLists.failures(impacted)) yield* note(`${notePrefix(source)}${problem}`)
  if (needed.length > 0 && needed.every(isFailed)) yield* end(picture)
})
