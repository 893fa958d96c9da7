/** The plain text of what is new in a change. */
import type * as ApiVersion from "@vigil/health-schema/ApiVersion"
import type * as Changes from "@vigil/health-schema/Changes"
import type * as HealthEvent from "@vigil/health-schema/HealthEvent"
import * as PlainHtml from "../PlainHtml.js"
import { cut } from "./cut.js"

type AnyEvent = HealthEvent.HealthEvent<ApiVersion.ApiVersion>

/** The longest text of a notification. */
export const maxLength = 4_000

/** The updates of regions are often the same text. */
const distinct = (sources: ReadonlyArray<string | null | undefined>): ReadonlyArray<string> => [
  ...new Set(sources.map((html) => PlainHtml.text(html ?? "").trim()).filter((text) => text !== "")),
]

const added = (changes: Changes.Changes | undefined): ReadonlyArray<string> =>
  distinct((changes?.updates ?? []).filter(({ kind }) => kind === "Added").map(({ update }) => update.summary))

/** The added updates, else the summary of the event, else its description. */
export const newTexts = ({ properties }: AnyEvent, changes: Changes.Changes | undefined): string => {
  const updates = added(changes)
  const texts = updates.length > 0 ? updates : distinct([properties?.summary || properties?.description])
  return cut(texts.join("\n\n"), maxLength)
}
