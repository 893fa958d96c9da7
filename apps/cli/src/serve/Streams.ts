/** Event streams (HTML standard, "Server-sent events"): each open stream gets the version of the latest poll. */
import type { Writable } from "node:stream"

interface Client {
  readonly stream: Writable
  /** Whether a text is not yet sent. There is at most one for each client. */
  isWriting: boolean
  /** Whether the text was not sent at the last beat either. */
  isStalled: boolean
  hasMissed: boolean
}

export interface Streams {
  readonly isFull: () => boolean
  readonly add: (stream: Writable) => void
  /** Sends a version to all streams. A slow reader gets only the latest, and never delays another. */
  readonly publish: (version: string) => void
  /** Shows proxies and clients that the connection is open. Ends the streams whose readers have stopped reading. */
  readonly beat: () => void
  readonly close: () => void
  readonly count: () => number
}

/** After a lost connection, clients wait for 5 seconds. */
const retry = "retry: 5000\n"

const comment = ":\n\n"

export const make = (maxStreams: number): Streams => {
  const clients = new Set<Client>()
  let latest: string | undefined
  const write = (client: Client, text: string) => {
    client.isWriting = true
    client.stream.write(text, () => {
      client.isWriting = false
      client.isStalled = false
      if (!client.hasMissed) return
      client.hasMissed = false
      send(client)
    })
  }
  const send = (client: Client) => {
    if (client.isWriting) client.hasMissed = true
    else if (latest !== undefined) write(client, `event: poll\ndata: ${latest}\n\n`)
  }
  return {
    isFull: () => clients.size >= maxStreams,
    add: (stream) => {
      const client = { stream, isWriting: false, isStalled: false, hasMissed: latest !== undefined }
      clients.add(client)
      stream.once("close", () => clients.delete(client))
      stream.on("error", () => stream.destroy())
      write(client, retry)
    },
    publish: (version) => {
      latest = version
      for (const client of clients) send(client)
    },
    beat: () => {
      for (const client of clients) {
        if (!client.isWriting) write(client, comment)
        else if (client.isStalled) client.stream.destroy()
        else client.isStalled = true
      }
    },
    close: () => {
      for (const { stream } of clients) stream.end()
    },
    count: () => clients.size,
  }
}
