/** Helpers to run streams of a client. */
import { HealthClient } from "@vigil/health-client"
import type * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"

/** Collects a stream to an array. */
export const collect: <A, E, R>(stream: Stream.Stream<A, E, R>) => Effect.Effect<ReadonlyArray<A>, E, R> =
  Stream.runCollect

/** Provides a client to a stream of `Watch`, `Sweep` or `WithDetails`. */
export const withClient =
  (client: HealthClient.Service) =>
  <A, E, R>(stream: Stream.Stream<A, E, R>): Stream.Stream<A, E, Exclude<R, HealthClient.HealthClient>> =>
    Stream.provideService(stream, HealthClient.HealthClient, client)
