/** The words of services for how far something is: statuses of events, regions, incidents, impacted resources and emerging issues. */

export type Progress = "now" | "ended" | "upcoming" | "cancelled"

const words: ReadonlyArray<readonly [Progress, string]> = [
  [
    "ended",
    "resolve, resolved, complete, completed, mitigated, closed, ended, finished, done, succeeded, inactive, archived, restored, recovered",
  ],
  ["upcoming", "scheduled, planned, upcoming, pending, announced, not started"],
  ["cancelled", "canceled, cancelled, withdrawn, rejected"],
]

const normalize = (word: string): string => word.toLowerCase().replaceAll(/[^a-z]/g, "")

const known: ReadonlyMap<string, Progress> = new Map(
  words.flatMap(([progress, text]) => text.split(",").map((word) => [normalize(word), progress] as const)),
)

/** Ignores case, spaces and punctuation. A missing or unknown word means `now`, so that nobody misses it. */
export const of = (word: string | null | undefined): Progress => known.get(normalize(word ?? "")) ?? "now"
