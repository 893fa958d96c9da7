/** The words of services for how far something is: statuses of events, regions, incidents, impacted resources and emerging issues. */

export type Progress = "now" | "ended" | "upcoming" | "cancelled"

const words: ReadonlyArray<readonly [Progress, string]> = [
  [
    "ended",
    "resolved completed complete mitigated closed ended finished done succeeded inactive archived restored recovered",
  ],
  ["upcoming", "scheduled planned upcoming pending announced"],
  ["cancelled", "canceled cancelled withdrawn rejected"],
]

const known: ReadonlyMap<string, Progress> = new Map(
  words.flatMap(([progress, text]) => text.split(" ").map((word) => [word, progress] as const)),
)

/** Ignores case, spaces and punctuation. A missing or unknown word means `now`, so that nobody misses it. */
export const of = (word: string | null | undefined): Progress =>
  known.get((word ?? "").toLowerCase().replaceAll(/[^a-z]/g, "")) ?? "now"
