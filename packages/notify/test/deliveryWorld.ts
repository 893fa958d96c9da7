/** A small world of events, what may happen in it, and a watch that tells its changes at least once. */
import type { Notification } from "@vigil/notify"
import * as FastCheck from "effect/FastCheck"
import { notification } from "./notifications.js"

/** An event. `version` differs for every change of the world. */
interface Entry {
  readonly version: number
  readonly status: "Active" | "Resolved"
}

export type World = ReadonlyMap<string, Entry>

/** An event appears; or changes, is resolved, is reopened or vanishes, if it exists. */
export interface Move {
  readonly kind: "Appear" | "Update" | "Resolve" | "Reopen" | "Vanish"
  readonly key: string
}

export const move: FastCheck.Arbitrary<Move> = FastCheck.record({
  kind: FastCheck.constantFrom("Appear", "Appear", "Update", "Resolve", "Resolve", "Reopen", "Vanish"),
  key: FastCheck.constantFrom("a", "b", "c"),
})

/** The world afterwards. Impossible moves change nothing. */
export const after = (world: World, { key, kind }: Move, version: number): World => {
  const entry = world.get(key)
  if (kind === "Appear") return entry === undefined ? new Map([...world, [key, { version, status: "Active" }]]) : world
  if (entry === undefined) return world
  if (kind === "Vanish") return new Map([...world].filter(([other]) => other !== key))
  const status = { Update: entry.status, Resolve: "Resolved" as const, Reopen: "Active" as const }[kind]
  return new Map([...world, [key, { version, status }]])
}

/** The version of a notification's event. */
export const versionOf = ({ title }: Notification.Notification): number => Number(title)

const noteOf = (key: string, state: Notification.State, { status, version }: Entry): Notification.Notification =>
  notification({ id: `${key}-${version}-${state}`, key, state, status, title: `${version}`, text: `${version}` })

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

/** The state of a watch: what its consumer has, and the changes that it may have. */
export interface Watched {
  readonly delivered: Map<string, Entry>
  readonly pending: Map<string, Change>
}

/** The changes that a watch emits after a poll. Pending changes are emitted again, or replaced. */
export const changes = ({ delivered, pending }: Watched, world: World, version: number): ReadonlyArray<Change> =>
  [...new Set([...world.keys(), ...delivered.keys(), ...pending.keys()])].flatMap((key): ReadonlyArray<Change> => {
    const entry = world.get(key)
    const maybe = pending.get(key)
    if (entry === undefined) {
      if (maybe?.entry === null) return [maybe]
      const last = maybe?.entry ?? delivered.get(key)
      return last === undefined ? [] : [{ note: noteOf(key, "withdrawn", { ...last, version }), entry: null }]
    }
    const known = maybe?.entry === null ? undefined : delivered.get(key)
    return known?.version === entry.version ? [] : [{ note: noteOf(key, stateOf(known, entry), entry), entry }]
  })
