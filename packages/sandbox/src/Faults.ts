/** A server on loopback that fails in a chosen way, for the tests of any HTTP client. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as fixed from "./internal/certificate.js"
import { errors } from "./internal/faults/errors.js"
import { event, type Fault } from "./internal/faults/fault.js"
import { links } from "./internal/faults/links.js"
import { events, shapes } from "./internal/faults/pages.js"
import * as server from "./internal/faults/server.js"
import { transport } from "./internal/faults/transport.js"
import * as Reply from "./Reply.js"

/**
 * A running server. It stops with its scope, whatever its connections are doing.
 * @category models
 * @since 0.1.0
 */
export interface Server {
  /** Such as `http://127.0.0.1:40123`. The system chooses the port. */
  readonly origin: string
  /** Every request so far, in the order of arrival. */
  readonly requests: Effect.Effect<ReadonlyArray<Reply.Request>>
  /** Waits for this many requests, and returns the last of them. */
  readonly received: (count: number) => Effect.Effect<Reply.Request>
  /** Every byte received so far, one character for each, invalid requests included. Bytes of TLS connections are decrypted. */
  readonly bytes: Effect.Effect<string>
  /** How many connections are open. */
  readonly connections: Effect.Effect<number>
  /** Waits until at most this many connections are open. */
  readonly connectionsAtMost: (count: number) => Effect.Effect<void>
  /** Closes every connection and the port: later connections are refused. */
  readonly stop: Effect.Effect<void>
}

/**
 * Options of a server.
 * @category models
 * @since 0.1.0
 */
export interface Options {
  /** Whether to serve over TLS. Clients reject its certificate unless they trust `certificate`. Default: no. */
  readonly tls?: boolean | undefined
}

/**
 * Starts a server on 127.0.0.1 that replies by a script. A TLS server accepts plain HTTP at its port too; those requests are not
 * `secure`. It keeps everything it receives in memory: use it for tests, not for load.
 * @category constructors
 * @since 0.1.0
 */
export const serve = (script: Reply.Script, { tls = false }: Options = {}): Effect.Effect<Server, never, Scope.Scope> =>
  Effect.gen(function* () {
    const own = yield* server.make(script)
    return { ...own.memory, ...(yield* server.listen(own, { tls, plain: own })) }
  })

/**
 * The certificate of every TLS server of this package, as PEM: self-signed, for `localhost`, 127.0.0.1 and ::1, valid until 2120.
 * Its private key is published with this package: trust it in tests only.
 * @category constants
 * @since 0.1.0
 */
export const certificate: string = fixed.certificate

const faults = { ...links, ...transport, ...shapes, ...errors, ...events } satisfies Readonly<Record<string, Fault>>

/**
 * The name of a fault.
 * @category models
 * @since 0.1.0
 */
export type Name = keyof typeof faults

/**
 * A named fault, for a client that reads a list of health events page by page, at any path of the server.
 * @category models
 * @since 0.1.0
 */
export interface Scenario {
  /** The name that `start` takes. */
  readonly name: Name
  /** Its row of the list of faults that these packages survive. */
  readonly row: number
  /** What the server does, in one sentence. */
  readonly what: string
  /** Whether it is served over TLS. */
  readonly tls: boolean
  /** Whether the server has stopped before the first request. */
  readonly stopped: boolean
  /** Makes its script: a new one at every call, because some have state. `foreign` is the other origin, `now` is in milliseconds since 1970. */
  readonly script: (context: { readonly foreign: string; readonly now: number }) => Reply.Script
}

/**
 * The names of all faults.
 * @category constants
 * @since 0.1.0
 */
// The keys of an object literal are those of its type.
export const names: ReadonlyArray<Name> = Object.keys(faults) as Array<Name>

/**
 * Returns the fault of this name.
 * @category getters
 * @since 0.1.0
 */
export const byName = (name: Name): Scenario => ({ name, ...faults[name] })

/**
 * A running fault.
 * @category models
 * @since 0.1.0
 */
export interface Started {
  /** The fault. */
  readonly scenario: Scenario
  /** The server that has the fault. */
  readonly server: Server
  /**
   * Another server: links and redirects of the fault lead to its origin. It replies with a page that a client should never see, and
   * should never receive a credential. It also receives what is sent in plain HTTP to the port of a TLS server.
   */
  readonly foreign: Server
}

/**
 * Starts the fault of this name.
 * @category constructors
 * @since 0.1.0
 */
export const start = (name: Name): Effect.Effect<Started, never, Scope.Scope> =>
  Effect.gen(function* () {
    const scenario = byName(name)
    const plain = yield* server.make([Reply.page([event("FOREIGN")])])
    const foreign = { ...plain.memory, ...(yield* server.listen(plain, { tls: false, plain })) }
    const own = yield* server.make(scenario.script({ foreign: foreign.origin, now: yield* Clock.currentTimeMillis }))
    const listening = yield* server.listen(own, { tls: scenario.tls, plain })
    if (scenario.stopped) yield* listening.stop
    return { scenario, server: { ...own.memory, ...listening }, foreign }
  })
