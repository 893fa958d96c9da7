/** What a fault server was asked. */

/**
 * A request, as it arrived. `target`, the headers and `raw` hold one character a byte, so that nothing of what was sent is lost.
 *
 * @category models
 * @since 0.1.0
 */
export interface Received {
  /** As it was sent. */
  readonly method: string
  /** The request target of the request line, byte for byte: path and query, as the client spelled them. */
  readonly target: string
  /** By lower-case name; what was sent more than once is joined by `, `. */
  readonly headers: Readonly<Record<string, string>>
  /** The body, read as UTF-8. */
  readonly body: string
  /** All of it: request line, headers and body. */
  readonly raw: string
  /** The origin of the server that received it, such as `http://127.0.0.1:40123`: for links back to it. */
  readonly origin: string
  /** Whether it came over TLS. */
  readonly secure: boolean
}
