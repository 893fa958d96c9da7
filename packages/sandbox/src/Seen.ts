/** What the sandbox was asked, without what is secret. */

/**
 * A request, as the sandbox saw it. Headers that carry credentials (`authorization`, `proxy-authorization`, `cookie`,
 * `x-api-token`) are left out.
 *
 * @category models
 * @since 0.1.0
 */
export interface Seen {
  /** In upper case. */
  readonly method: string
  /** Path and query, as the client spelled them. */
  readonly target: string
  /** By lower-case name; what was sent more than once is joined by `, `. */
  readonly headers: Readonly<Record<string, string>>
}
