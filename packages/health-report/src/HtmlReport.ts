/** Events as one HTML file that works offline. */
import * as Page from "./internal/page.js"
import type { Snapshot } from "./Snapshot.js"

/** The first bytes of every report, by which a program recognizes a file that it may overwrite. @category constants @since 0.2.0 */
export const beginning = "<!doctype html>\n<!-- A report of vigil events report -->\n"

const kind: Page.Kind = {
  beginning,
  script: "",
  scriptHash: "xhcvR2YzLeXt8F4Eeyo5It7FKr0hKWATf9mkrtABBXQ=",
  policy: [],
  footer: "Made by vigil. This file works offline and sends no data.",
}

/**
 * Renders a snapshot: current state, impact over time, and all events with their texts. Every text of the service is escaped. The file loads
 * nothing, and the same snapshot produces the same text.
 * @category rendering @since 0.2.0
 */
export const make = (snapshot: Snapshot): string => [...chunks(snapshot)].join("")

/** Like `make`, in parts that are rendered when they are needed: a report of many events may not fit in the memory. @category rendering @since 0.2.0 */
export const chunks = (snapshot: Snapshot): Iterable<string> => Page.chunks(snapshot, kind)
