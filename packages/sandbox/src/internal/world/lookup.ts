/** Finds resources, their events and their statuses. The indexes are made once per array of a world, which can have many resources. */
import type { Resource, ServiceGroup, StatusProperties, World, WorldEvent } from "./models.js"
import { childrenOf } from "./places.js"

/** Makes a value once per key. */
export const once = <Key extends object, Value>(make: (key: Key) => Value): ((key: Key) => Value) => {
  const known = new WeakMap<Key, Value>()
  return (key) => {
    const value = known.get(key) ?? make(key)
    known.set(key, value)
    return value
  }
}

const groupBy = <A>(keysOf: (value: A) => Iterable<string>) =>
  once((values: ReadonlyArray<A>): ReadonlyMap<string, ReadonlyArray<A>> => {
    const groups = new Map<string, Array<A>>()
    for (const value of values)
      for (const key of keysOf(value)) {
        const group = groups.get(key)
        if (group === undefined) groups.set(key, [value])
        else group.push(value)
      }
    return groups
  })

/** The scopes of the tenant and of subscriptions are exclusive: what one lists, another does not. */
export const isOfTenant = ({ subscriptions }: WorldEvent): boolean => subscriptions.length === 0

/** The IDs of resources are not case-sensitive. */
const fold = (uri: string): string => uri.toLowerCase()

const byUri = once(
  (resources: World["resources"]) =>
    new Map(resources.flatMap((resource) => [resource, ...childrenOf(resource)]).map((one) => [fold(one.uri), one])),
)
const bySubscription = groupBy(({ subscription }: Resource) => [subscription])
const byGroup = groupBy(({ uri }: Resource) => [fold(uri.split("/").slice(0, 5).join("/"))])
const eventsByUri = groupBy((event: WorldEvent) => (isOfTenant(event) ? [] : new Set(event.resources)))
const statusesByUri = groupBy(({ resource }: World["statuses"][number]) => [fold(resource)])

/** The resource or child resource with this URI. */
export const find = ({ resources }: World, uri: string): Resource | undefined => byUri(resources).get(fold(uri))

/** The resources of a subscription. */
export const inSubscription = ({ resources }: World, id: string): ReadonlyArray<Resource> =>
  bySubscription(resources).get(id) ?? []

/** The resources of a group; `undefined` if it does not exist. */
export const inGroup = ({ resources }: World, id: string, group: string): ReadonlyArray<Resource> | undefined =>
  byGroup(resources).get(fold(`/subscriptions/${id}/resourceGroups/${group}`))

/** The events of subscriptions that impact a resource, newest first. A child resource is impacted with its parent. */
export const eventsOf = ({ events }: World, { parent, uri }: Resource): ReadonlyArray<WorldEvent> => {
  const index = eventsByUri(events)
  const own = index.get(uri) ?? []
  const inherited = parent === undefined ? undefined : index.get(parent)
  return inherited === undefined ? own : events.filter((one) => own.includes(one) || inherited.includes(one))
}

const isIn = (members: ReadonlyArray<string>) => {
  const prefixes = members.map((id) => `${fold(id)}/`)
  return (uri: string) => prefixes.some((prefix) => `${fold(uri)}/`.startsWith(prefix))
}

/** The service group with this name. */
export const serviceGroup = ({ serviceGroups }: World, name: string): ServiceGroup | undefined =>
  serviceGroups.find((group) => fold(group.name) === fold(name))

/** The resources of the members of a service group. */
export const ofServiceGroup = ({ resources }: World, { members }: ServiceGroup): ReadonlyArray<Resource> =>
  resources.filter(({ uri }) => isIn(members)(uri))

/** The events of the members of a service group, newest first, once for each subscription: those of a subscription, or that impact a resource. */
export const eventsOfServiceGroup = ({ events }: World, { members }: ServiceGroup) => {
  const isMember = isIn(members)
  const isOf = ({ resources }: WorldEvent, id: string) =>
    isMember(`/subscriptions/${id}`) || resources.some((uri) => isMember(uri) && isIn([`/subscriptions/${id}`])(uri))
  return events.flatMap((event) =>
    event.subscriptions.filter((id) => isOf(event, id)).map((subscription) => ({ ...event, subscription })),
  )
}

/** The statuses of a resource that do not follow from its events, newest first. */
export const statusesOf = ({ statuses }: World, { uri }: Resource): ReadonlyArray<StatusProperties> =>
  (statusesByUri(statuses).get(fold(uri)) ?? []).map(({ properties }) => properties)
