/** Finds the elements of an earlier list again in a later one. */
import type * as ApiVersion from "../ApiVersion.js"
import type * as Impact from "../Impact.js"
import { equal } from "./equal.js"

type AnyImpact = Impact.Impact<ApiVersion.ApiVersion>
type AnyRegion = Impact.ImpactedServiceRegion<ApiVersion.ApiVersion>

/** What was found again, what is new, and what is gone; each in the order of its list. */
export interface Pairing<A> {
  readonly pairs: ReadonlyArray<readonly [before: A, after: A]>
  readonly added: ReadonlyArray<A>
  readonly removed: ReadonlyArray<A>
}

/** Pairs each later element with the first of the earlier ones that is free and the `same`, the rules tried in turn. */
export const pair = <A>(
  before: ReadonlyArray<A>,
  after: ReadonlyArray<A>,
  ...same: ReadonlyArray<(one: A, other: A) => boolean>
): Pairing<A> => {
  const found = new Map<number, number>()
  const taken = new Set<number>()
  for (const rule of same)
    for (const [index, later] of after.entries()) {
      if (found.has(index)) continue
      const match = before.findIndex((earlier, at) => !taken.has(at) && rule(earlier, later))
      if (match === -1) continue
      found.set(index, match)
      taken.add(match)
    }
  return {
    pairs: after.flatMap((later, index): ReadonlyArray<readonly [A, A]> => {
      const match = found.get(index)
      const earlier = match === undefined ? undefined : before[match]
      return earlier === undefined ? [] : [[earlier, later]]
    }),
    added: after.filter((_, index) => !found.has(index)),
    removed: before.filter((_, index) => !taken.has(index)),
  }
}

/** A service is the same by its permanent identifier, where both have one, and else by its name. */
export const sameService = (a: AnyImpact, b: AnyImpact): boolean =>
  (a.impactedServiceGuid ?? "") !== "" && (b.impactedServiceGuid ?? "") !== ""
    ? a.impactedServiceGuid === b.impactedServiceGuid
    : equal(a.impactedService, b.impactedService)

/** A region is the same by its name. */
export const sameRegion = (a: AnyRegion, b: AnyRegion): boolean => equal(a.impactedRegion, b.impactedRegion)
