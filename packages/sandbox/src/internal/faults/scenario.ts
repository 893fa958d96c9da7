/** What a fault that has a name is made of. */
import type { Script } from "../../Reply.js"

/** What a script is made for. */
export interface Context {
  /** The origin of a server that is not the one asked, and must not see a credential. */
  readonly foreign: string
  /** The time of who started the fault, in milliseconds since 1970. */
  readonly now: number
}

/** A fault, without its name. */
export interface Draft {
  /** Its row of the list of faults. */
  readonly row: number
  /** What the server does, in one sentence. */
  readonly what: string
  readonly tls: boolean
  /** Whether the server has stopped before anyone asks. */
  readonly stopped: boolean
  /** A new script for every start: it may remember. */
  readonly script: (context: Context) => Script
}

/** A fault of a server over plain HTTP. */
export const fault = (row: number, what: string, script: Draft["script"]): Draft => ({
  row,
  what,
  tls: false,
  stopped: false,
  script,
})
