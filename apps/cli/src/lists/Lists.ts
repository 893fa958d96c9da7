/** The lists that flags select: one per subscription, or that of a resource or the tenant. */
import type * as Checkpoint from "@vigil/health-client/Checkpoint"
import * as ListLimit from "@vigil/health-client/ListLimit"
import type * as Listing from "@vigil/health-client/Listing"
import type { SubscriptionQuery } from "@vigil/health-client/Query"
import * as ResourceUri from "@vigil/health-client/ResourceUri"
import * as ServiceGroup from "@vigil/health-client/ServiceGroup"
import type { SubscriptionId } from "@vigil/health-client/SubscriptionId"
import type * as ApiVersion from "@vigil/health-schema/ApiVersion"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Of from "@vigil/health-verdict/Subject"
import type * as Stream from "effect/Stream"
import { CommandError } from "../command/CommandError.js"
import * as Defect from "../output/Defect.js"
import * as Failure from "../command/Failure.js"
import type { AnyEvent } from "../connection/AnyEvent.js"
import type * as Connection from "../connection/Connection.js"
import * as Subscriptions from "../connection/Subscriptions.js"
import * as Flag from "../flags/Flag.js"
import * as Time from "../flags/Time.js"
import { UsageError } from "../flags/UsageError.js"
import { enumerate } from "@vigil/health-text/Sentence"
import { Output, plural } from "../output/Output.js"

const resourceUri = Flag.parsed(
  "id",
  "a full resource ID, such as /subscriptions/…/providers/…",
  Schema.decodeOption(ResourceUri.ResourceUri),
)

/** Of the commands that list service groups. */
export const serviceGroup = Flag.optional(
  Flag.parsed("name", "the name of a service group", Schema.decodeOption(ServiceGroup.ServiceGroup)),
  "Members of a service group (a preview), not subscriptions",
)

export const flags = {
  subscription: Subscriptions.repeated,
  resource: Flag.optional(resourceUri, "Resource ID, instead of a subscription", "r"),
  tenantWide: Flag.boolean("Only events of the tenant, which no subscription has"),
}

export interface Flags extends Subscriptions.Flags {
  readonly resource?: ResourceUri.ResourceUri | undefined
  readonly tenantWide?: boolean
  readonly serviceGroup?: ServiceGroup.ServiceGroup | undefined
}

type Query = SubscriptionQuery<ApiVersion.ApiVersion>

/** Whose entries a list has. */
export type Owner = Of.Shared | SubscriptionId

/** What a list is of. */
export interface Subject {
  readonly kind:
    | "Emerging issues"
    | "Resource"
    | "Resources of Subscription"
    | "Service group"
    | "Subscription"
    | "Tenant"
  /** Of the subscription, the resource or the service group. */
  readonly id: string
  /** The name of the subscription. */
  readonly name: string | undefined
  /** The name and the ID, or only the ID. */
  readonly title: string
  /** The start of notes, if there are several lists. */
  readonly subject: string | undefined
  /** Whose entries it has, if they are printed with their owner. */
  readonly owner?: Owner | undefined
}

/** Whether it is a list beside those of subscriptions: that of the tenant may not be read, and decides nothing. */
export const isBeside = ({ owner }: Pick<Subject, "owner">): boolean => owner !== undefined && typeof owner !== "string"

export interface List<A = AnyEvent> extends Subject {
  readonly pages: (from: Checkpoint.Checkpoint | undefined) => Stream.Stream<Listing.Page<A>, Listing.PagesError>
}

type Timed = Pick<Connection.Health, "listTimeout">

/** How long a complete list may take: an endless one must not delay the answer. */
export const wholeTimeout = ({ listTimeout }: Timed): Duration.Duration => Duration.times(listTimeout, 2)

/** Runs a list that must be complete. */
export const run =
  (connection: Timed) =>
  <E = Listing.FetchError, R = never>(list: Effect.Effect<void, E, R>) =>
    ListLimit.within(wholeTimeout(connection))(Defect.toFailure(list))

/** Runs a list of several that must end together at a time, in milliseconds since 1970. */
export const runUntil =
  (until: number) =>
  <E, R>(list: Effect.Effect<void, E, R>) =>
    Effect.flatMap(Clock.currentTimeMillis, (now) =>
      ListLimit.within(Duration.millis(until - now))(Defect.toFailure(list)),
    )

/** How much of their time the last lists get if those before them have taken all of it. */
const lastShare = 0.2

/** Like `run`, for lists that an answer can do without: they follow those that it needs, which began at `start`, and end together. */
export const runLast = ({ listTimeout }: Timed, start: number) => {
  const limit = Duration.toMillis(listTimeout)
  let until: number | undefined
  return <E, R>(list: Effect.Effect<void, E, R>) =>
    Effect.flatMap(Clock.currentTimeMillis, (now) => {
      until ??= Math.max(start + limit, now + limit * lastShare)
      return runUntil(until)(list)
    })
}

type Named = Pick<Connection.Health, "names">

/** What the lists of subscriptions are of. */
export const subjectsOf = ({ names }: Named, ids: ReadonlyArray<SubscriptionId>) =>
  ids.map((id) => {
    const title = names.title(id)
    const subject = ids.length === 1 ? undefined : title
    return { kind: "Subscription", id, owner: id, name: names.nameOf(id), title, subject } as const
  })

/** What the list of a service group is of. */
export const subjectOfServiceGroup = (name: ServiceGroup.ServiceGroup) =>
  ({
    kind: "Service group",
    id: name,
    name: undefined,
    title: `the service group ${name}`,
    subject: undefined,
  }) as const

/** The lists of subscriptions. */
export const ofSubscriptions = <A>(
  connection: Named,
  ids: ReadonlyArray<SubscriptionId>,
  pages: (id: SubscriptionId) => List<A>["pages"],
): ReadonlyArray<List<A>> => subjectsOf(connection, ids).map((one) => ({ ...one, pages: pages(one.id) }))

/** Names owners: `Prod and 3 more, the tenant and emerging issues`. */
export const summaryOf = ({ names }: Named, owners: ReadonlyArray<Owner>): string => {
  const subscriptions = owners.filter((owner) => typeof owner === "string")
  const others = owners.flatMap((owner) => (typeof owner === "string" ? [] : [Of.label(owner)]))
  return enumerate([...(subscriptions.length === 0 ? [] : [names.summary(subscriptions)]), ...others])
}

/** What lists are of, in a few words. */
export const summary = ({ names }: Named, lists: ReadonlyArray<Subject>): string => {
  const [first] = lists
  if (first?.kind === "Tenant") return "the tenant"
  if (first?.kind === "Service group") return first.title
  if (first?.kind === "Resource") return "the resource"
  return summaryOf(
    { names },
    lists.flatMap(({ owner }) => owner ?? []),
  )
}

/** Fails if flags exclude each other. */
export const checkFlags = Effect.fnUntraced(function* (
  flags: Flags & { readonly filter?: unknown; readonly since?: unknown },
) {
  const [resource, tenantWide] = [flags.resource !== undefined, flags.tenantWide === true]
  const serviceGroup = flags.serviceGroup !== undefined
  const others = { "--resource": resource, "--tenant-wide": tenantWide, "--service-group": serviceGroup }
  yield* Flag.exclusive({ ...Subscriptions.given(flags), ...others })
  if (resource && flags.since !== undefined)
    return yield* new UsageError(
      "--since and --resource are mutually exclusive: the service does not filter the events of a resource by time.",
    )
  const unsupported = { "--since": flags.since !== undefined, "--filter": flags.filter !== undefined }
  for (const [name, isGiven] of Object.entries(unsupported))
    yield* Flag.exclusive({ [name]: isGiven, "--service-group": serviceGroup })
})

const hasSubscriptions = ({ resource, tenantWide }: Flags): boolean => tenantWide !== true && resource === undefined

/** Fails if a flag is given that requires subscriptions, for the list of a resource or the tenant. */
export const requireSubscriptions = (
  flags: Flags,
  given: Readonly<Record<string, boolean>>,
): Effect.Effect<void, UsageError> => {
  const name = Object.keys(given).find((one) => given[one])
  return name === undefined || hasSubscriptions(flags)
    ? Effect.void
    : new UsageError(`${name} requires subscriptions: omit --resource and --tenant-wide.`)
}

/** The subscriptions to list, by default all of the sandbox or the settings; none for a resource or the tenant. */
export const subscriptions = (connection: Connection.Health, flags: Flags) =>
  hasSubscriptions(flags) ? Subscriptions.several(connection, flags) : Effect.succeed([])

/** Returns the lists of a query. */
export const make = Effect.fnUntraced(function* (connection: Connection.Health, flags: Flags) {
  const { client } = connection
  const { resource, serviceGroup, tenantWide } = flags
  const ids = serviceGroup === undefined ? yield* subscriptions(connection, flags) : []
  const only = (kind: List["kind"], id: string, pages: List["pages"]): ReadonlyArray<List> => [
    { kind, id, name: undefined, title: id, subject: undefined, pages },
  ]
  return (query: Query): ReadonlyArray<List> => {
    if (tenantWide === true) return only("Tenant", "", (from) => client.pagesByTenant({ ...query, from }))
    if (resource !== undefined)
      return only("Resource", resource, (from) => client.pagesByResource(resource, { ...query, from }))
    if (serviceGroup !== undefined) {
      const { apiVersion } = query
      const pages: List["pages"] = (from) => client.pagesByServiceGroup(serviceGroup, { apiVersion, from })
      return [{ ...subjectOfServiceGroup(serviceGroup), pages }]
    }
    const pages = (id: SubscriptionId) => (from: Checkpoint.Checkpoint | undefined) =>
      client.pagesBySubscription(id, { ...query, from })
    return ofSubscriptions(connection, ids, pages)
  }
})

/** The end of a summary: the time that the lists cover. Empty for a resource or a service group, whose events the service does not filter by time. */
export const period = (
  { resource, serviceGroup, since }: Flags & { readonly since?: Time.Since | undefined },
  days: number,
): string =>
  resource === undefined && serviceGroup === undefined ? `, updated ${Time.describe(since ?? Duration.days(days))}` : ""

/** Fails if lists with these names failed, which were noted. */
export const failIfAny = (names: ReadonlyArray<string>, exit: Failure.Exit): Effect.Effect<void, CommandError> => {
  const sentence = `${enumerate(names)} failed: see above.`
  return names.length === 0 ? Effect.void : new CommandError(exit, sentence.charAt(0).toUpperCase() + sentence.slice(1))
}

/** Fails if lists failed, which were noted. `errors`: why. `others`: the lists that failed beside those of subscriptions. */
export const failIfIncomplete = (
  failed: number,
  total: number,
  errors: ReadonlyArray<Failure.Failure> = [],
  others: ReadonlyArray<string> = [],
): Effect.Effect<void, CommandError> => {
  const names = [...(failed === 0 ? [] : [`${failed} of ${plural(total, "subscription")}`]), ...others]
  return failIfAny(names, Failure.exitOfSeveral(errors, total))
}

/** What an entry of a list is, in the singular, and what is counted. */
export interface Noun {
  readonly entry: string
  readonly item: string
}

const eventNoun: Noun = { entry: "an event", item: "event" }

export const statusNoun: Noun = { entry: "a status", item: "resource" }

const rate = (items: number, noun: string, milliseconds: number): string =>
  milliseconds <= 0 ? "" : `, ${Math.round((items * 1000) / milliseconds)} ${noun}s/s`

/** Counts the pages of lists, and shows the counts on a terminal, after a `prefix`. */
export const makeProgress = Effect.fnUntraced(function* (prefix = (): string => "", { item }: Noun = eventNoun) {
  const { status } = yield* Output
  const start = yield* Clock.currentTimeMillis
  const tally = { pages: 0, events: 0, invalid: 0, older: 0 }
  return {
    tally,
    page: Effect.fnUntraced(function* (page: Pick<Listing.Page<unknown>, "invalid" | "items" | "older">) {
      tally.pages += 1
      tally.events += page.items.length
      tally.invalid += page.invalid.length
      tally.older += page.older
      const speed = rate(tally.events, item, (yield* Clock.currentTimeMillis) - start)
      yield* status(`${prefix()}${plural(tally.pages, "page")}, ${plural(tally.events, item)}${speed}`)
    }),
  }
})
