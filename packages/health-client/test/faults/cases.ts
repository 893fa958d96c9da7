/** Faults that every operation on a list is tested with, and the expected results. */
import type { HealthClient } from "@vigil/health-client"
import type { Faults } from "@vigil/sandbox"
import * as Effect from "effect/Effect"
import type { Outcome } from "./expected.js"
import { connect, guarded, type Drained, startRepairable } from "./harness.js"

/** A fault, and the expected result of each list operation. */
interface Case {
  readonly name: Faults.Name
  readonly limits?: { readonly maxPages: number }
  /** The names of the events, page by page. */
  readonly pages: ReadonlyArray<ReadonlyArray<string>>
  readonly outcome: Outcome
  /** The result of resuming from the last checkpoint, once the service is repaired. */
  readonly resumes: string
}

export const cases: ReadonlyArray<Case> = [
  {
    name: "next-link-loop-two",
    pages: [["EVENT-0"], ["EVENT-1"], ["EVENT-2"], ["EVENT-1"]],
    outcome: "PageLoop",
    resumes: "EXTRA end",
  },
  // Resuming checks the link again.
  { name: "next-link-other-host", pages: [["FIRST"]], outcome: "Link", resumes: "Link" },
  { name: "last-page-502", pages: [["FIRST"]], outcome: "ServiceFailure", resumes: "EXTRA end" },
  { name: "token-refused-mid-list", pages: [["FIRST"]], outcome: "Unauthorized", resumes: "EXTRA end" },
  { name: "token-expires-mid-list", pages: [["FIRST"], ["LAST"]], outcome: "end", resumes: "end" },
  {
    name: "endless-links",
    limits: { maxPages: 3 },
    pages: [["EVENT-0"], ["EVENT-1"], ["EVENT-2"]],
    outcome: "PageLimit",
    resumes: "EXTRA end",
  },
]

/** Cases without a limit, because not every operation has one. */
export const finite = cases.filter(({ limits }) => limits === undefined)

/** An event without an update time, which matches every start time. */
export const extra = { name: "EXTRA" }

/** Runs an operation on the list of a fault. */
export const run = <A, E>(
  name: Faults.Name,
  operation: (client: HealthClient.Service) => Effect.Effect<Drained<A, E>>,
) =>
  Effect.gen(function* () {
    const servers = yield* startRepairable(name)
    const { client } = yield* connect(servers.server.origin)
    return { ...(yield* guarded(servers, operation(client))), ...servers, client }
  })
