/** What the service tells everyone: emerging issues, supported values (metadata) and its operations. Only the public Azure service has these. */
import { join } from "@vigil/core-http/PathSegment"
import type { RequestError } from "@vigil/core-http/RequestError"
import * as ApiVersion from "@vigil/health-schema/ApiVersion"
import * as EmergingIssue from "@vigil/health-schema/EmergingIssue"
import * as Metadata from "@vigil/health-schema/Metadata"
import * as Operation from "@vigil/health-schema/Operation"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { Checkpoint } from "./Checkpoint.js"
import { HealthClient } from "./HealthClient.js"
import type * as Listing from "./Listing.js"
import type { PageLoop } from "./PagingError.js"
import * as RecordName from "./RecordName.js"
import { pages, type Source } from "./Source.js"
import * as oneRecord from "./internal/oneRecord.js"

/** Options of a request. @category models @since 0.2.0 */
export interface Options {
  /** Default: `ApiVersion.defaultVersion`. */
  readonly apiVersion?: ApiVersion.ApiVersion | undefined
}

/** Streams the pages of a list of `A`. @category models @since 0.2.0 */
export interface Pages<A> {
  <From extends Checkpoint | undefined = undefined, Max extends number | undefined = undefined>(
    options?: Options & Listing.PageOptions<From, Max>,
  ): Stream.Stream<
    Listing.Page<A>,
    RequestError | PageLoop | Listing.Limited<Max> | Listing.Mismatch<From>,
    HealthClient
  >
}

const sourceOf = <A>(
  call: string,
  list: string,
  decode: Source<A>["decode"],
  { apiVersion = ApiVersion.defaultVersion }: Options,
): Effect.Effect<Source<A>, never, HealthClient> =>
  Effect.map(
    Effect.flatMap(HealthClient, ({ connection }) => connection),
    ({ service, vendor }) => ({
      service,
      operation: `PublicInfo.${call}`,
      span: "HealthClient.page",
      list: { vendor, scope: list, id: "", apiVersion, filter: "" },
      path: join(["providers", `${vendor}.ResourceHealth`, list]),
      method: "GET",
      decode,
    }),
  )

const pagesOf =
  <A>(call: string, list: string, decode: Source<A>["decode"]): Pages<A> =>
  <From extends Checkpoint | undefined = undefined, Max extends number | undefined = undefined>(
    options: Options & Listing.PageOptions<From, Max> = {},
  ) =>
    Stream.unwrap(Effect.map(sourceOf(call, list, decode, options), (source) => pages<A, From, Max>(source, options)))

/** Streams the pages of the emerging issues. An entry has banners and active events. @category streams @since 0.2.0 */
export const pagesOfEmergingIssues: Pages<EmergingIssue.EmergingIssue> = /* @__PURE__ */ pagesOf(
  "pagesOfEmergingIssues",
  "emergingIssues",
  EmergingIssue.decodePage,
)

/** Fetches an entry of the emerging issues, by default the one with the name `default`. @category effects @since 0.2.0 */
export const getEmergingIssue = (
  name = RecordName.make("default"),
  options: Options = {},
): Effect.Effect<EmergingIssue.EmergingIssue, RequestError, HealthClient> =>
  Effect.flatMap(sourceOf("getEmergingIssue", "emergingIssues", EmergingIssue.decodePage, options), (source) =>
    oneRecord.fetchByName(source, name, EmergingIssue.decode),
  )

/** Streams the pages of the supported values, such as the services and regions of filters. @category streams @since 0.2.0 */
export const pagesOfMetadata: Pages<Metadata.Metadata> = /* @__PURE__ */ pagesOf(
  "pagesOfMetadata",
  "metadata",
  Metadata.decodePage,
)

/** Fetches the supported values of a name, such as `region` or `impactedService`. @category effects @since 0.2.0 */
export const getMetadata = (
  name: RecordName.RecordName,
  options: Options = {},
): Effect.Effect<Metadata.Metadata, RequestError, HealthClient> =>
  Effect.flatMap(sourceOf("getMetadata", "metadata", Metadata.decodePage, options), (source) =>
    oneRecord.fetchByName(source, name, Metadata.decode),
  )

/** Streams the pages of the operations of the service, for access control. The public service has one page. @category streams @since 0.2.0 */
export const pagesOfOperations: Pages<Operation.Operation> = /* @__PURE__ */ pagesOf(
  "pagesOfOperations",
  "operations",
  Operation.decodePage,
)
