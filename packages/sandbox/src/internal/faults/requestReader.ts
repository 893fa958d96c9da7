/** Reads HTTP/1.1 requests from the bytes of a connection, as tolerantly as a test server should, and byte for byte. */
import type { Received } from "../../Received.js"

/** A request but for what its connection knows of it. */
type Parsed = Omit<Received, "origin" | "secure">

/** How long a request line with its headers may be, in bytes. */
const maxHead = 1_048_576

const readHeaders = (lines: ReadonlyArray<string>): Record<string, string> => {
  const headers: Record<string, string> = {}
  for (const line of lines) {
    const colon = line.indexOf(":")
    if (colon < 1) continue
    const name = line.slice(0, colon).toLowerCase()
    const value = line.slice(colon + 1).trim()
    headers[name] = headers[name] === undefined ? value : `${headers[name]}, ${value}`
  }
  return headers
}

/** The body of a text that begins with one, and where it ends; nothing while it is not all there. */
const readBody = (text: string, headers: Record<string, string>): readonly [string, number] | undefined => {
  if (!/chunked/i.test(headers["transfer-encoding"] ?? "")) {
    const length = Number(headers["content-length"] ?? 0) || 0
    return text.length < length ? undefined : [text.slice(0, length), length]
  }
  let body = ""
  for (let at = 0; ;) {
    const line = text.indexOf("\r\n", at)
    if (line === -1) return undefined
    const size = Number.parseInt(text.slice(at, line), 16) || 0
    const end = line + 2 + size + 2
    if (text.length < end) return undefined
    if (size === 0) return [body, end]
    body += text.slice(line + 2, end - 2)
    at = end
  }
}

/**
 * A reader of one connection: given bytes as latin1, it gives the requests that are complete with them, and `"invalid"` for what
 * is no HTTP, after which it reads nothing.
 */
export const make = (): ((chunk: string) => ReadonlyArray<Parsed | "invalid">) => {
  let pending = ""
  let dead = false

  const next = (): Parsed | "invalid" | undefined => {
    const end = pending.indexOf("\r\n\r\n")
    // What cannot begin a request line is not waited for.
    if (!/^(\r\n)*[A-Z]*( |$)/.test(pending)) return "invalid"
    if (end === -1) return pending.length > maxHead ? "invalid" : undefined
    const [line = "", ...fields] = pending.slice(0, end).trimStart().split("\r\n")
    const [, method, target] = /^([A-Z]+) (.*) HTTP\/1\.[01]$/.exec(line) ?? []
    if (method === undefined || target === undefined) return "invalid"
    const headers = readHeaders(fields)
    const rest = readBody(pending.slice(end + 4), headers)
    if (rest === undefined) return undefined
    const [body, length] = rest
    const raw = pending.slice(0, end + 4 + length)
    pending = pending.slice(raw.length)
    return { method, target, headers, body: Buffer.from(body, "latin1").toString("utf8"), raw }
  }

  return (chunk) => {
    const found: Array<Parsed | "invalid"> = []
    if (dead) return found
    pending += chunk
    for (let request = next(); request !== undefined && !dead; request = next()) {
      found.push(request)
      dead = request === "invalid"
    }
    return found
  }
}
