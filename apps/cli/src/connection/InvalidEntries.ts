/** Notes the invalid entries of a list. */
import type * as Listing from "@vigil/health-client/Listing"
import * as Effect from "effect/Effect"
import * as Failure from "../command/Failure.js"
import * as Output from "../output/Output.js"

/** `prefix` starts the notes; `noun` says what the entries are not. */
export const note = (
  { invalid }: Pick<Listing.Page<unknown>, "invalid">,
  { noun, prefix = Output.notePrefix() }: { readonly noun?: string | undefined; readonly prefix?: string } = {},
) => Effect.forEach(invalid, (entry) => Output.note(prefix + Failure.describeEntry(entry, noun)), { discard: true })
