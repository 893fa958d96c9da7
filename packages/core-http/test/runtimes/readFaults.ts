/** Reads the lists of fault servers over `fetch`. Runs in every runtime. */
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import { read, tagOf } from "../faults/harness.js"

type Options = Parameters<typeof read>[0]

const readOne = (options: Options) =>
  Effect.map(read(options), ({ delivered, error }) => ({ delivered: delivered.join(" "), outcome: tagOf(error) }))

/** Returns what each list delivered, and how it ended. */
export const run = (faults: ReadonlyArray<Options>) =>
  Effect.forEach(faults, readOne, { concurrency: 8 }).pipe(Effect.provide(FetchHttpClient.layer), Effect.runPromise)
