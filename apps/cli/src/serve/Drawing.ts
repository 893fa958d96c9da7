/** What a server draws of its state: the same for the page, the metrics, the calendar and JSON. */
import * as ResourceStates from "@vigil/health-report/ResourceStates"
import type { Snapshot } from "@vigil/health-report/Snapshot"
import type * as Assessment from "@vigil/health-verdict/Assessment"
import * as Coverage from "@vigil/health-verdict/Coverage"
import type { Picture } from "@vigil/health-verdict/Picture"
import type { AnyEvent } from "../connection/AnyEvent.js"
import * as EventSnapshot from "../lists/EventSnapshot.js"
import * as State from "./State.js"

export interface Drawing extends Pick<Picture, "impacted" | "now" | "statuses"> {
  readonly state: State.State
  readonly snapshot: Snapshot
  /** With the events that the flags select. */
  readonly lists: Picture["events"]
  /** What was last known of the events that have become invalid. */
  readonly replaced: ReadonlyArray<AnyEvent>
  /** Of all statuses, list by list. */
  readonly assessments: ReadonlyArray<Assessment.Assessment>
  /** What lacks of the lists of events. Empty if all was read. */
  readonly remark: string
}

export type Options = Pick<EventSnapshot.Options, "names" | "selects">

export const make = (state: State.State, { names, selects }: Options): Drawing => {
  const picture = State.picture(state)
  const options = { names, selects, from: state.times?.from ?? 0 }
  const snapshot = EventSnapshot.make(picture, options)
  return {
    ...picture,
    state,
    snapshot,
    lists: EventSnapshot.select(picture.events, options),
    replaced: state.lists.flatMap(({ read }) => read?.replaced ?? []).filter((event) => selects?.(event) !== false),
    assessments: ResourceStates.make(snapshot)?.all ?? [],
    remark: Coverage.remark(picture, names.title),
  }
}
