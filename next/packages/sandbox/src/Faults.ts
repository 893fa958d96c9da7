/** Servers on loopback that fail in a chosen way, for tests of any HTTP client. */
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

/** A running server. It stops when its scope closes, even with open connections. @category models @since 0.1.0 */
export interface Server {
  /** Such as `http://127.0.0.1:40123`. The system chooses the port. */
  readonly origin: string
  readonly requests: Effect.Effect<ReadonlyArray<Reply.Request>>
  /** Waits until the server has received this many requests, and returns the one with this number: 1 returns the first. */
  readonly awaitRequests: (count: number) => Effect.Effect<Reply.Request>
  /** All received bytes, one character per byte, including invalid requests. TLS is decrypted. */
  readonly bytes: Effect.Effect<string>
  readonly connections: Effect.Effect<number>
  /** Waits until at most this many connections are open. */
  readonly awaitConnections: (count: number) => Effect.Effect<void>
  readonly stop: Effect.Effect<void>
}

/** Options of a fault server. @category models @since 0.1.0 */
export interface Options {
  /** Serve over TLS. Clients must trust `certificate`. Default: `false`. */
  readonly tls?: boolean | undefined
}

/**
 * Starts a server on 127.0.0.1 that replies by a script. A TLS server also accepts plain HTTP. Each server keeps all received data in memory.
 * @category constructors @since 0.1.0
 */
export const serve = (script: Reply.Script, { tls = false }: Options = {}): Effect.Effect<Server, never, Scope.Scope> =>
  Effect.gen(function* () {
    const own = yield* server.make(script)
    return { ...own.memory, ...(yield* server.listen(own, { tls, plain: own })) }
  })

/**
 * The self-signed certificate (PEM) of all TLS servers of this package. Its private key is published too: trust it in tests only.
 * @category constants @since 0.1.0
 */
export const certificate: string = fixed.certificate

const faults = { ...links, ...transport, ...shapes, ...errors, ...events } satisfies Readonly<Record<string, Fault>>

/** The name of a fault. @category models @since 0.1.0 */
export type Name = keyof typeof faults

/**
 * A named fault, for clients that read a list of health events page by page. It applies to any path of the server.
 * @category models @since 0.1.0
 */
export interface Scenario extends Fault {
  readonly name: Name
}

/** The names of all faults. @category constants @since 0.1.0 */
// The keys of an object literal are those of its type.
export const names: ReadonlyArray<Name> = Object.keys(faults) as Array<Name>

/** Returns the fault with this name. @category getters @since 0.1.0 */
export const byName = (name: Name): Scenario => ({ name, ...faults[name] })

/** A running fault. @category models @since 0.1.0 */
export interface RunningFault {
  readonly scenario: Scenario
  readonly server: Server
  /**
   * The server that receives requests to another origin, and plain HTTP sent to a TLS `server`. A safe client sends it no credential.
   */
  readonly foreign: Server
}

/** Starts the fault with this name. @category constructors @since 0.1.0 */
export const start = (name: Name): Effect.Effect<RunningFault, never, Scope.Scope> =>
  Effect.gen(function* () {
    const scenario = byName(name)
    const plain = yield* server.make([Reply.page([event("FOREIGN")])])
    const foreign = { ...plain.memory, ...(yield* server.listen(plain, { tls: false, plain })) }
    const own = yield* server.make(scenario.script({ foreign: foreign.origin, now: yield* Clock.currentTimeMillis }))
    const listening = yield* server.listen(own, { tls: scenario.tls, plain })
    if (scenario.stopped) yield* listening.stop
    return { scenario, server: { ...own.memory, ...listening }, foreign }
  })
