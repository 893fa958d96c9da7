/** A server on loopback that fails as it is told to: for the tests of any HTTP client. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as answerer from "./internal/faults/answerer.js"
import * as fixed from "./internal/faults/certificate.js"
import { listen, type Listening } from "./internal/faults/listen.js"
import { event } from "./internal/faults/pages.js"
import { drafts } from "./internal/faults/scenarios.js"
import type { Received } from "./Received.js"
import * as Reply from "./Reply.js"

/**
 * A running server. It stops with its scope, whatever its connections are doing.
 *
 * @category models
 * @since 0.1.0
 */
export interface Server {
  /** Such as `http://127.0.0.1:40123`; the port is chosen by the system. */
  readonly origin: string
  /** Every request so far, in the order of arrival. */
  readonly requests: Effect.Effect<ReadonlyArray<Received>>
  /** Waits for so many requests, and gives the last of them. */
  readonly received: (count: number) => Effect.Effect<Received>
  /** Every byte that ever arrived, one character a byte, that of no valid request included; what came over TLS, decrypted. */
  readonly bytes: Effect.Effect<string>
  /** How many connections are open. */
  readonly connections: Effect.Effect<number>
  /** Waits until no more than so many connections are open. */
  readonly connectionsAtMost: (count: number) => Effect.Effect<void>
  /** Closes every connection and the port: what connects from now on is refused. */
  readonly stop: Effect.Effect<void>
}

/**
 * How to serve.
 *
 * @category models
 * @since 0.1.0
 */
export interface Options {
  /** Over TLS, with a certificate that no client trusts unless it is given `certificate`. Default: no. */
  readonly tls?: boolean | undefined
}

const foreignPage = Reply.page([event("FOREIGN")])

const toServer = ({ memory }: answerer.Answerer, { origin, stop }: Listening): Server => ({
  origin,
  stop,
  requests: memory.requests,
  received: memory.received,
  bytes: memory.bytes,
  connections: memory.connections,
  connectionsAtMost: memory.connectionsAtMost,
})

/**
 * Starts a server on 127.0.0.1 that answers by the script. One that speaks TLS answers those who speak to it in plain, too; what
 * they sent is not `secure`. It keeps all that it ever receives: it is for tests, not for load.
 *
 * @category constructors
 * @since 0.1.0
 */
export const serve = (script: Reply.Script, { tls = false }: Options = {}): Effect.Effect<Server, never, Scope.Scope> =>
  Effect.gen(function* () {
    const own = yield* answerer.make(script)
    return toServer(own, yield* listen(own, { tls, plain: own }))
  })

/**
 * The certificate of servers that speak TLS, as PEM: for `localhost` and 127.0.0.1, signed by itself. Its key is published with
 * this package: trust it in tests only.
 *
 * @category constants
 * @since 0.1.0
 */
export const certificate: string = fixed.certificate

/**
 * The name of a fault.
 *
 * @category models
 * @since 0.1.0
 */
export type Name = keyof typeof drafts

/**
 * A fault that has a name, made for a client that reads a list of health events page by page, at whatever path of the server.
 *
 * @category models
 * @since 0.1.0
 */
export interface Scenario {
  /** What it is started by. */
  readonly name: Name
  /** Its row of the list of faults that these packages survive. */
  readonly row: number
  /** What the server does, in one sentence. */
  readonly what: string
  /** Whether it is served over TLS. */
  readonly tls: boolean
  /** Whether the server has stopped before anyone asks. */
  readonly stopped: boolean
  /** Its script, new at every call: some remember. `foreign` is the origin that it leads to; `now`, in milliseconds since 1970. */
  readonly script: (context: { readonly foreign: string; readonly now: number }) => Reply.Script
}

/**
 * The names of all faults.
 *
 * @category constants
 * @since 0.1.0
 */
// The keys of an object that was just written down are those of its type.
export const names: ReadonlyArray<Name> = Object.keys(drafts) as Array<Name>

/**
 * The fault of this name.
 *
 * @category getters
 * @since 0.1.0
 */
export const byName = (name: Name): Scenario => ({ name, ...drafts[name] })

/**
 * A fault that is being served.
 *
 * @category models
 * @since 0.1.0
 */
export interface Started {
  /** Which fault it is. */
  readonly scenario: Scenario
  /** Where it is served. */
  readonly server: Server
  /**
   * Another server, to whose origin the links and redirects of the fault lead. It answers a page that a client should never see,
   * and what it receives should never hold a credential. What comes to the port of a TLS server in plain is received here, too.
   */
  readonly foreign: Server
}

/**
 * Starts the fault of this name.
 *
 * @category constructors
 * @since 0.1.0
 */
export const start = (name: Name): Effect.Effect<Started, never, Scope.Scope> =>
  Effect.gen(function* () {
    const scenario = byName(name)
    const other = yield* answerer.make([foreignPage])
    const foreign = toServer(other, yield* listen(other, { tls: false, plain: other }))
    const now = yield* Clock.currentTimeMillis
    const own = yield* answerer.make(scenario.script({ foreign: foreign.origin, now }))
    const server = toServer(own, yield* listen(own, { tls: scenario.tls, plain: other }))
    if (scenario.stopped) yield* server.stop
    return { scenario, server, foreign }
  })
