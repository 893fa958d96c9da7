/** Compares the list of a poll with the known states of resources. */
import * as AvailabilityStatus from "@vigil/health-schema/AvailabilityStatus"
import * as ResourceId from "@vigil/health-schema/ResourceId"
import * as Schema from "effect/Schema"
import type * as Listing from "../../Listing.js"
import { distinct, stateOf, type Change } from "../../StatusChanges.js"
import { resourceIdOf } from "./rawId.js"

type Status = AvailabilityStatus.AvailabilityStatus

/** What a poll needs of a page of a list. @category models @since 0.3.0 */
export type Page = Pick<Listing.Page<Status>, "invalid" | "items">

/** The resources of a list, and whether it is the first one. */
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

/** What is known of the resources of a list. @category models @since 0.3.0 */
export interface State extends Schema.Schema.Type<typeof State> {}

type Known = State["resources"][number]

/** The state before the first list. */
export const empty: State = { isNew: true, resources: [] }

const knownOf = (id: string, status: Status): Known => {
  const since = status.properties?.occuredTime
  return { id, state: stateOf(status), ...(since && { since }) }
}

const read = (pages: Iterable<Page>) => {
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

/** Returns the changes since the last list, and the next state: see `StatusFeed.make`. Returns the same state if nothing is to be stored. */
export const step = (
  last: State,
  pages: Iterable<Page>,
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
