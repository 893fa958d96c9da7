/** A small world of events, the moves that change it, and watches that emit its changes at least once. */
import type { Notification } from "@vigil/notify"
import * as FastCheck from "fast-check"
import { notification } from "./notifications.js"

export const subscriptions = ["s1", "s2", "s3"] as const

export type Subscription = (typeof subscriptions)[number]

export const subscription: FastCheck.Arbitrary<Subscription> = FastCheck.constantFrom(...subscriptions)

/** An event. `version` differs for every change of the world. */
interface Entry {
  readonly version: number
  readonly status: "Active" | "Resolved"
  /** The subscriptions that list the event. */
  readonly listedIn: ReadonlySet<Subscription>
}

export type World = ReadonlyMap<string, Entry>

/** An event appears in or vanishes from one subscription, or it changes, is resolved or is reopened in all its subscriptions. */
export interface Move {
  readonly kind: "Appear" | "Update" | "Resolve" | "Reopen" | "Vanish"
  readonly key: string
  readonly subscription: Subscription
}

export const move: FastCheck.Arbitrary<Move> = FastCheck.record({
  kind: FastCheck.constantFrom("Appear", "Appear", "Appear", "Update", "Resolve", "Resolve", "Reopen", "Vanish"),
  key: FastCheck.constantFrom("a", "b", "c"),
  subscription,
})

const listed = ({ kind, subscription }: Move, listedIn: ReadonlySet<Subscription>): ReadonlySet<Subscription> => {
  if (kind === "Appear") return new Set([...listedIn, subscription])
  return kind === "Vanish" ? new Set([...listedIn].filter((other) => other !== subscription)) : listedIn
}

/** The world after a move. Impossible moves change nothing. */
export const applyMove = (world: World, move: Move, version: number): World => {
  const { key, kind } = move
  const entry = world.get(key)
  if (entry === undefined && kind !== "Appear") return world
  const listedIn = listed(move, entry?.listedIn ?? new Set())
  if (listedIn.size === 0) return new Map([...world].filter(([other]) => other !== key))
  if (kind === "Vanish") return new Map([...world, [key, { version, status: "Active", ...entry, listedIn }]])
  const status = kind === "Resolve" ? "Resolved" : kind === "Reopen" ? "Active" : (entry?.status ?? "Active")
  return new Map([...world, [key, { version, status, listedIn }]])
}

/** The ID does not depend on the subscription, as in `Notification.fromChange`. */
const noteOf = (
  key: string,
  state: Notification.State,
  { status, version }: Entry,
  subscription: Subscription,
): Notification.Notification =>
  notification({
    id: `${key}-${version}-${state}`,
    key,
    state,
    status,
    subscription,
    title: `${version}`,
    updatedAt: new Date(version * 1_000).toISOString(),
    text: `${version}`,
  })

const stateOf = (known: Entry | undefined, entry: Entry): Notification.State => {
  if (known === undefined) return entry.status === "Resolved" ? "resolved" : "opened"
  if (known.status === entry.status) return "updated"
  return entry.status === "Resolved" ? "resolved" : "reopened"
}

/** A change of an event. `entry` is `null` if it vanished. */
export interface Change {
  readonly note: Notification.Notification
  readonly entry: Entry | null
}

/** The state of the watch of a subscription: what its consumer has, and the changes that it may have. */
export interface WatchState {
  readonly subscription: Subscription
  readonly delivered: Map<string, Entry>
  readonly pending: Map<string, Change>
}

/** The changes that a watch emits after a poll. Pending changes are emitted again, or replaced. */
export const changes = ({ delivered, pending, subscription }: WatchState, world: World): ReadonlyArray<Change> =>
  [...new Set([...world.keys(), ...delivered.keys(), ...pending.keys()])].flatMap((key): ReadonlyArray<Change> => {
    const listed = world.get(key)
    const entry = listed?.listedIn.has(subscription) === true ? listed : undefined
    const pendingChange = pending.get(key)
    if (entry === undefined) {
      if (pendingChange?.entry === null) return [pendingChange]
      const last = pendingChange?.entry ?? delivered.get(key)
      if (last === undefined) return []
      return [{ note: noteOf(key, "withdrawn", last, subscription), entry: null }]
    }
    const known = pendingChange?.entry === null ? undefined : delivered.get(key)
    if (known?.version === entry.version) return []
    return [{ note: noteOf(key, stateOf(known, entry), entry, subscription), entry }]
  })
