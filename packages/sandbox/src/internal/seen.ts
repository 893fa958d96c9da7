/** A request without its secrets. */
import type { Seen } from "../Seen.js"

/** What a request must have to be seen: Node's has it, and the platform's. */
interface Arriving {
  readonly method?: string | undefined
  readonly url?: string | undefined
  readonly headers: Readonly<Record<string, string | ReadonlyArray<string> | undefined>>
}

const secret = new Set(["authorization", "proxy-authorization", "cookie", "x-api-token"])

/** What may be told of the request. */
export const seen = ({ headers, method = "GET", url = "/" }: Arriving): Seen => ({
  method: method.toUpperCase(),
  target: url,
  headers: Object.fromEntries(
    Object.entries(headers)
      .filter(([name]) => !secret.has(name))
      .map(([name, value = ""]) => [name, typeof value === "string" ? value : value.join(", ")]),
  ),
})
