/** What a client wants to know of the body of an answer that says no. */

/**
 * The service's own words. A client package hands `ServiceClient` a schema that reads its service's bodies into this.
 *
 * @category models
 * @since 0.1.0
 */
export interface ErrorBody {
  readonly code?: string | null | undefined
  readonly message?: string | null | undefined
}
