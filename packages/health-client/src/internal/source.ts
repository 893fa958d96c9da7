/** What a list is: its first page, and how its entries are decoded and filtered. */
import type { Decoder } from "@vigil/core-http/Decoder"
import type * as ServiceClient from "@vigil/core-http/ServiceClient"
import * as ApiVersion from "@vigil/health-schema/ApiVersion"
import type * as EventsPage from "@vigil/health-schema/EventsPage"
import type * as HealthEvent from "@vigil/health-schema/HealthEvent"
import type * as DateTime from "effect/DateTime"
import type * as Checkpoint from "../Checkpoint.js"

interface Page<A> {
  readonly items: ReadonlyArray<A>
  readonly invalid: ReadonlyArray<EventsPage.InvalidEntry>
  readonly nextLink: string | undefined
}

/** A list of `A`. */
export interface Source<A> extends Pick<Checkpoint.List, "apiVersion" | "id" | "scope" | "vendor"> {
  readonly service: ServiceClient.Service
  readonly operation: string
  readonly path: string
  /** The method for the first page. Links are followed by GET. */
  readonly method: "GET" | "POST"
  readonly decode: Decoder<Page<A>>
  /** Whether the entry was updated at or after an instant. */
  readonly isSince: (item: A, since: DateTime.Utc) => boolean
}

/** A list of events of version `V`. */
export interface EventSource<V extends ApiVersion.ApiVersion> extends Source<HealthEvent.HealthEvent<V>> {
  readonly apiVersion: V
}

/** Returns the version of a call, or the latest. TypeScript cannot relate a value to the default of `V`, so the type is asserted. */
export const versionOf = <V extends ApiVersion.ApiVersion>(version: V | undefined): V =>
  version ?? (ApiVersion.latest as V)

/** The attributes of the span of an operation. */
export const attributesOf = ({
  apiVersion,
  id,
  scope,
}: Pick<Source<unknown>, "apiVersion" | "id" | "scope">): Readonly<Record<string, string>> => ({
  "health.scope": scope,
  "health.id": id,
  "health.api_version": apiVersion,
})
