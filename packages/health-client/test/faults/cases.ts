/** Some faults that every reading of a list is tried under, and what each comes to. */
import type { HealthClient, Listing } from "@vigil/health-client"
import type { Faults } from "@vigil/sandbox"
import * as Effect from "effect/Effect"
import { connect, type Ending, guarded, startMendable } from "./harness.js"

/** A fault, and what every reading of its list comes to. */
interface Case {
  readonly name: Faults.Name
  readonly limits?: { readonly maxPages: number }
  /** The names of the events, page by page. */
  readonly pages: ReadonlyArray<ReadonlyArray<string>>
  readonly ends: Listing.ListError["_tag"] | "end"
  /** How the list goes on after its last page, once the service is well. */
  readonly resumes: string
}

export const cases: ReadonlyArray<Case> = [
  {
    name: "next-link-loop-two",
    pages: [["EVENT-0"], ["EVENT-1"], ["EVENT-2"], ["EVENT-1"]],
    ends: "PageLoop",
    resumes: "WELL end",
  },
  // What may not be followed may not be followed later.
  { name: "next-link-other-host", pages: [["FIRST"]], ends: "LinkRefused", resumes: "LinkRefused" },
  { name: "last-page-502", pages: [["FIRST"]], ends: "ServiceError", resumes: "WELL end" },
  { name: "token-refused-mid-list", pages: [["FIRST"]], ends: "Unauthorized", resumes: "WELL end" },
  { name: "token-expires-mid-list", pages: [["FIRST"], ["LAST"]], ends: "end", resumes: "end" },
  {
    name: "endless-links",
    limits: { maxPages: 3 },
    pages: [["EVENT-0"], ["EVENT-1"], ["EVENT-2"]],
    ends: "PageLimit",
    resumes: "WELL end",
  },
]

/** Those that end without a limit: not every reading has one. */
export const ending = cases.filter(({ limits }) => limits === undefined)

/** An event that does not say when it was updated, so that it counts whenever a list begins. */
export const well = { name: "WELL" }

/** The list of a fault, read in some way. */
export const reading = <A, E>(name: Faults.Name, read: (client: HealthClient.Service) => Effect.Effect<Ending<A, E>>) =>
  Effect.gen(function* () {
    const servers = yield* startMendable(name)
    const { client } = yield* connect(servers.server.origin)
    return { ...(yield* guarded(servers, read(client))), ...servers, client }
  })
