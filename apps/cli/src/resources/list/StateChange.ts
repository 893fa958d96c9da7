/** A change of the state of a resource as text, and as JSON. */
import type * as StatusChanges from "@vigil/health-client/StatusChanges"
import * as ResourceId from "@vigil/health-schema/ResourceId"
import * as Labels from "@vigil/health-text/Labels"
import * as PlainHtml from "@vigil/health-text/PlainHtml"
import * as Wrap from "@vigil/health-text/Wrap"
import * as DateTime from "effect/DateTime"
import * as ChangeLine from "../../watches/ChangeLine.js"
import * as Time from "../../flags/Time.js"
import * as Json from "../../output/Json.js"
import * as StatusTable from "../shared/StatusTable.js"

type Change = StatusChanges.Change

/** In cells. */
const maxWidth = { state: 40, reason: 60, place: 160, summary: 160 }

const cut = (text: string | null | undefined, width: number): string => Wrap.line(text ?? "", width)

/** The states, who caused the new one, the type and the group, and the summary. */
const describe = (change: Change): string => {
  const place = cut(
    Labels.distinct([ResourceId.type(change.id), ResourceId.group(change.id)]).join(", "),
    maxWidth.place,
  )
  const before = "before" in change ? cut(change.before, maxWidth.state) : ""
  if (change._tag === "Disappeared") return `no longer listed, was ${before} (${place})`
  const { reasonType, summary } = change.status.properties ?? {}
  const states = [before, cut(change.state, maxWidth.state)].filter((state) => state !== "").join(" → ")
  const details = [cut(reasonType, maxWidth.reason), place].filter((text) => text !== "").join(", ")
  const text = cut(PlainHtml.text(summary ?? ""), maxWidth.summary)
  return `${states} (${details})${text && `: ${text}`}`
}

/** The change, safe for a terminal. Its time (UTC) is the start of the state; for `Disappeared` and without a start, it is `now`. */
export const lines = (change: Change, now: DateTime.Utc, options: ChangeLine.Options): ReadonlyArray<string> => {
  const [since, color] =
    change._tag === "Disappeared"
      ? []
      : [Labels.minute(change.status.properties?.occuredTime), StatusTable.color(change.state)]
  const parts = { tag: change._tag, name: ResourceId.name(change.id) ?? "", nameWidth: 12, text: describe(change) }
  return ChangeLine.lines({ ...parts, time: since || Time.minute(now), color }, options)
}

/** The change as one line of JSON. `at` is the time of printing (UTC). A status that is nested too deeply is left out. */
export const json = ({ _tag, ...rest }: Change, now: DateTime.Utc): string => {
  const line = { at: DateTime.formatIso(now), change: _tag, ...rest }
  return Json.line(line) ?? Json.text({ ...line, status: undefined })
}
