/** The content of a response, with a strong entity tag (RFC 9110, 8.8.3). */
import { createHash } from "node:crypto"

export interface Representation {
  readonly type: string
  readonly body: Buffer
  readonly tag: string
  /** Further headers. */
  readonly headers: Readonly<Record<string, string>>
}

export const make = (type: string, text: string, headers: Readonly<Record<string, string>> = {}): Representation => {
  const body = Buffer.from(text)
  return { type, body, headers, tag: `"${createHash("sha256").update(body).digest("base64url").slice(0, 27)}"` }
}

/** Whether `If-None-Match` has the tag (13.1.2). The comparison is weak. */
export const isUnchanged = ({ tag }: Representation, ifNoneMatch: string | undefined): boolean =>
  ifNoneMatch !== undefined &&
  (ifNoneMatch.trim() === "*" || ifNoneMatch.split(",").some((one) => one.trim().replace(/^W\//, "") === tag))
