/** A world that changes at random, and checks of the notifications that sinks receive. */
import { Notification } from "@vigil/notify"
import { World } from "@vigil/sandbox"
import type { Sequence } from "@vigil/testing/random"

/** An event. Each version has its own title and update time. */
export interface Item {
  readonly name: string
  readonly subscriptions: ReadonlyArray<string>
  readonly version: number
  readonly title: string
  readonly status: "Active" | "Resolved"
  readonly isListed: boolean
  readonly updatedAt: number
  /** Changes only after all sinks know its last change, so that each of its changes can be observed. */
  readonly isPaced: boolean
  readonly isPoison: boolean
}

/** The state of an event according to the notifications that a sink received. */
interface Known {
  readonly title: string
  readonly state: Notification.State
  readonly isOpen: boolean
}

export const pick = <A>(random: Sequence, values: ReadonlyArray<A>): A => {
  const value = values[random.integer(values.length)]
  if (value === undefined) throw new Error("There is nothing to pick from.")
  return value
}

/** Returns a function that cycles through the values, from the one at `start`. */
export const cycle = <A>(values: ReadonlyArray<A>, start: number): (() => A) => {
  const queue = [...values.slice(start), ...values.slice(0, start)]
  return () => {
    const [first] = queue.splice(0, 1)
    if (first === undefined) throw new Error("There is nothing to choose from.")
    queue.push(first)
    return first
  }
}

/** Whether a strict receiver refuses a notification. */
export const isPoisonous = ({ title }: { readonly title: string }) => title.endsWith("poison")

const next = (item: Item, changes: Partial<Item> = {}): Item => {
  const version = item.version + 1
  return {
    ...item,
    version,
    title: `${item.name} v${version}${item.isPoison && version % 2 === 0 ? " poison" : ""}`,
    updatedAt: Math.max(Date.now(), item.updatedAt + 1),
    ...changes,
  }
}

/** One event per subscription, some events of several subscriptions, and some that the strict receiver refuses at times. */
export const makeItems = (random: Sequence, subscriptions: ReadonlyArray<string>): ReadonlyArray<Item> => {
  const some = () => Array.from({ length: 2 + random.integer(5) }, () => pick(random, subscriptions))
  const item = (name: string, subscriptions: ReadonlyArray<string>, isPaced: boolean, isPoison = false): Item =>
    next({
      name,
      subscriptions: [...new Set(subscriptions)],
      version: 0,
      title: "",
      status: "Active",
      isListed: true,
      updatedAt: 0,
      isPaced,
      isPoison,
    })
  return [
    ...subscriptions.map((id, index) => item(`OWN-${index}`, [id], index % 2 === 0)),
    ...Array.from({ length: subscriptions.length / 5 }, (_, index) => item(`SHARED-${index}`, some(), index % 2 === 0)),
    ...Array.from({ length: 30 }, (_, index) => item(`POISON-${index}`, some(), false, true)),
  ]
}

/** Updates, resolves, reopens, removes, returns or moves an event. */
export const change = (random: Sequence, item: Item, subscriptions: ReadonlyArray<string>): Item => {
  const die = random.number()
  // Sinks are not notified of an event that is resolved when first seen, so paced events return as active.
  if (!item.isListed)
    return die < 0.5
      ? { ...item, isListed: true }
      : next(item, { isListed: true, ...(item.isPaced && { status: "Active" }) })
  if (die < 0.5) return next(item)
  if (die < 0.75) return next(item, { status: item.status === "Active" ? "Resolved" : "Active" })
  if (die < 0.85 && item.subscriptions.length > 1)
    return next(item, { subscriptions: [...new Set([...item.subscriptions.slice(1), pick(random, subscriptions)])] })
  return item.isPaced && item.status === "Resolved" ? next(item) : { ...item, isListed: false }
}

/** Shows an event, or removes it. */
export const show =
  ({ isListed, name, status, subscriptions, title, updatedAt }: Item) =>
  (world: World.World): World.World => {
    const id = `/providers/${world.vendor}.ResourceHealth/events/${name}`
    if (!isListed) return World.remove(id)(world)
    const lastUpdateTime = new Date(updatedAt).toISOString()
    return World.put({
      event: { id, name, properties: { eventType: "ServiceIssue", title, status, lastUpdateTime } },
      lastUpdate: updatedAt,
      subscriptions,
      resources: [],
    })(world)
  }

/** Returns a function that returns the state of each event, by name, for a sink that ignores repeated IDs. */
export const follow = (received: ReadonlyArray<Notification.Notification>): (() => ReadonlyMap<string, Known>) => {
  const ids = new Set<string>()
  const known = new Map<string, Known>()
  let count = 0
  return () => {
    for (const { id, state, status, title, trackingId } of received.slice(count)) {
      count += 1
      if (ids.has(id)) continue
      ids.add(id)
      known.set(trackingId, { title, state, isOpen: !Notification.isClosing(state) && status !== "Resolved" })
    }
    return known
  }
}

/** Whether a sink knows the current version of an event. */
export const isCurrent = ({ isListed, isPaced, status, title }: Item, known: Known | undefined): boolean => {
  if (!isListed) return known?.isOpen !== true
  if (status === "Active") return known?.isOpen === true && known.title === title
  if (known === undefined || known.state === "withdrawn") return !isPaced
  return !known.isOpen && known.title === title
}

const versionOf = (title: string): number => Number(/ v(\d+)/.exec(title)?.[1])

/** Descriptions of notifications that arrive in the wrong order, or under several IDs. */
export const mistakes = (received: ReadonlyArray<Notification.Notification>): ReadonlyArray<string> => {
  const ids = new Map<string, string>()
  const versions = new Map<string, number>()
  return received.flatMap((notification) => {
    const { id, state, title, trackingId } = notification
    const content = JSON.stringify(notification)
    const earlier = ids.get(id)
    ids.set(id, content)
    if (earlier !== undefined) return earlier === content ? [] : [`${id} has two contents: ${earlier} and ${content}`]
    // The subscription that withdraws an event may know an older version than others.
    if (state === "withdrawn") return []
    const version = versionOf(title)
    const last = versions.get(trackingId) ?? 0
    versions.set(trackingId, version)
    return version < last ? [`${state} ${title} arrives after version ${last}`] : []
  })
}
