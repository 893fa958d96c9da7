/** Finds the events of a page that are nested too deep for the store. */
import type * as ApiVersion from "@vigil/health-schema/ApiVersion"
import type * as Listing from "../Listing.js"

/** `JSON.stringify` is recursive, and overflows the stack at some thousands of levels. */
const maxDepth = 1_000

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null

const isTooDeep = (value: object): boolean => {
  let level = [value]
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > maxDepth) return true
    level = level.flatMap((parent) => Object.values(parent).filter(isObject))
  }
  return false
}

/** Moves events that are nested too deep to the invalid entries. */
export const check = <V extends ApiVersion.ApiVersion>(page: Listing.EventPage<V>): Listing.EventPage<V> => {
  const deep = new Set(page.items.filter(isTooDeep))
  if (deep.size === 0) return page
  const invalidIndexes = new Set(page.invalid.map(({ index }) => index))
  const invalid = [...page.invalid]
  let index = 0
  for (const event of page.items) {
    while (invalidIndexes.has(index)) index += 1
    const reason = `is nested more than ${maxDepth} levels deep and cannot be stored`
    if (deep.has(event)) invalid.push({ index, path: "", reason, raw: event })
    index += 1
  }
  return {
    ...page,
    items: page.items.filter((event) => !deep.has(event)),
    invalid: invalid.toSorted((a, b) => a.index - b.index),
  }
}
