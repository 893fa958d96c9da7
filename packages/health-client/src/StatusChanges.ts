/** Finds the changes of the states of resources between two complete lists. */
import * as AvailabilityStatus from "@vigil/health-schema/AvailabilityStatus"
import * as ResourceId from "@vigil/health-schema/ResourceId"
import * as Timestamp from "@vigil/health-schema/Timestamp"
import * as Schema from "effect/Schema"
import type * as Listing from "./Listing.js"
import { resourceIdOf } from "./internal/availability/rawId.js"

/** The resources of a list, and whether it is the first one. Encodes to plain JSON. @category schemas @since 0.2.0 */
export const State = Schema.Struct({
  isNew: Schema.Boolean,
  resources: Schema.Array(
    Schema.Struct({
      /** The ID of the resource, as it was first sent. */
      id: Schema.String,
      /** Its state: see `stateOf`. */
      state: Schema.String,
      /** When the state began (`occuredTime`), as it was sent. */
      since: Schema.optionalKey(Schema.String),
      /** Whether the last list lacked it. */
      isMissing: Schema.optionalKey(Schema.Literal(true)),
    }),
  ),
})

/** What is known of the resources of one list. @category models @since 0.2.0 */
export interface State extends Schema.Schema.Type<typeof State> {}

type Known = State["resources"][number]
type Status = AvailabilityStatus.AvailabilityStatus

/**
 * A change of the resource with this `id`. `state` is its state now, and `before` its last known one. `Recovered` is a change to `Available`,
 * and `Changed` any other. `since` is when the last known state began.
 * @category models @since 0.2.0
 */
export type Change =
  | { readonly _tag: "Appeared"; readonly id: string; readonly state: string; readonly status: Status }
  | Changed<"Changed">
  | Changed<"Recovered">
  | { readonly _tag: "Disappeared"; readonly id: string; readonly before: string; readonly since?: string }

interface Changed<Tag> {
  readonly _tag: Tag
  readonly id: string
  readonly before: string
  readonly state: string
  readonly status: Status
}

/** The state before the first list. @category constructors @since 0.2.0 */
export const empty: State = { isNew: true, resources: [] }

/**
 * Returns the state in the spelling of the API, or else as sent. A status without a state is `Unknown`: nothing says that the resource is
 * available.
 * @category getters @since 0.2.0
 */
export const stateOf = (status: Status): string =>
  AvailabilityStatus.state(status) ?? (status.properties?.availabilityState || "Unknown")

const knownOf = (id: string, status: Status): Known => {
  const since = status.properties?.occuredTime
  return { id, state: stateOf(status), ...(since && { since }) }
}

/** Of two statuses of a resource in one list, the one that was reported later, or else the one that is not available. */
const isLater = (one: Status, other: Status): boolean => {
  const order = Timestamp.latestFirst(one.properties?.reportedTime, other.properties?.reportedTime)
  return order < 0 || (order === 0 && !AvailabilityStatus.isAvailable(one))
}

/**
 * Returns one status of each resource, because a list that changes while it is read can contain a resource twice: the status that was reported later,
 * or else one that is not available. Each status without an ID stays.
 * @category combinators @since 0.2.0
 */
export const distinct = (statuses: Iterable<Status>): ReadonlyArray<Status> => {
  const all = new Map<unknown, Status>()
  for (const status of statuses) {
    const id = AvailabilityStatus.resourceId(status)
    const key = id === undefined ? status : ResourceId.key(id)
    const other = all.get(key)
    if (other === undefined || isLater(status, other)) all.set(key, status)
  }
  return [...all.values()]
}

const read = (pages: Iterable<Pick<Listing.Page<Status>, "invalid" | "items">>) => {
  const statuses: Array<Status> = []
  const listed = new Map<string, { readonly id: string; readonly status: Status }>()
  /** An invalid entry does not say that its resource is gone. One without an ID could be any resource. */
  const invalid = new Set<string | undefined>()
  for (const page of pages) {
    for (const { raw } of page.invalid) {
      const id = resourceIdOf(raw)
      invalid.add(id && ResourceId.key(id))
    }
    for (const status of page.items) statuses.push(status)
  }
  for (const status of distinct(statuses)) {
    const id = AvailabilityStatus.resourceId(status)
    if (id !== undefined) listed.set(ResourceId.key(id), { id, status })
  }
  return { listed, mayHide: (key: string) => invalid.has(undefined) || invalid.has(key) }
}

/**
 * Returns the changes since the last list, and the next state. `pages` are a complete list of current statuses, such as that of a subscription. The
 * first list changes every resource to `Appeared`; see `isNew`. Returns the same state if nothing is to be stored.
 *
 * Resources are the same if their IDs are (`ResourceId.key`), and states if they are in any case. A status without an ID has no changes. A resource is `Disappeared` if two lists in a
 * row lack it, because a list that changes while it is read can lack an entry. An invalid entry keeps its resource; one without an ID
 * keeps all.
 * @category combinators @since 0.2.0
 */
export const step = (
  last: State,
  pages: Iterable<Pick<Listing.Page<Status>, "invalid" | "items">>,
): { readonly changes: ReadonlyArray<Change>; readonly state: State } => {
  const { listed, mayHide } = read(pages)
  const changes: Array<Change> = []
  const resources: Array<Known> = []
  let isSame = !last.isNew
  for (const known of last.resources) {
    const { id, state: before } = known
    const found = listed.get(ResourceId.key(id))
    listed.delete(ResourceId.key(id))
    if (found === undefined) {
      const isHidden = mayHide(ResourceId.key(id))
      if (known.isMissing && !isHidden)
        changes.push({ _tag: "Disappeared", id, before, ...(known.since !== undefined && { since: known.since }) })
      else resources.push(isHidden ? known : { ...known, isMissing: true })
      isSame &&= isHidden
      continue
    }
    const { status } = found
    const state = stateOf(status)
    const isChanged = state.toLowerCase() !== before.toLowerCase()
    if (isChanged) changes.push({ _tag: state === "Available" ? "Recovered" : "Changed", id, before, state, status })
    const isKept = !isChanged && known.isMissing === undefined
    isSame &&= isKept
    resources.push(isKept ? known : knownOf(id, status))
  }
  for (const { id, status } of listed.values()) {
    const state = stateOf(status)
    changes.push({ _tag: "Appeared", id, state, status })
    resources.push(knownOf(id, status))
    isSame = false
  }
  return { changes, state: isSame ? last : { isNew: false, resources } }
}
