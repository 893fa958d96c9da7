/** A server between programs and Postgres that sends process IDs of its own, as PgBouncer does. */
import { connect, createServer, type Server } from "node:net"
import * as Effect from "effect/Effect"

/** `BackendKeyData`: https://www.postgresql.org/docs/current/protocol-message-formats.html */
const keyData = Buffer.from([0x4b, 0, 0, 0, 12])

/** Replaces the process ID of the first message that contains one. */
const replaceId = () => {
  let isDone = false
  return (data: Buffer): Buffer => {
    const at = isDone ? -1 : data.indexOf(keyData)
    if (at < 0) return data
    isDone = true
    data.writeInt32BE(0x7f_ff_ff_ff, at + keyData.length)
    return data
  }
}

/** Starts it until the scope closes. `url` has the folder of a Unix socket as its host. Returns its own URL. */
export const start = (url: string) =>
  Effect.acquireRelease(
    Effect.callback<Server>((resume) => {
      const path = `${new URL(url).searchParams.get("host")}/.s.PGSQL.5432`
      const server = createServer((client) => {
        const database = connect(path)
        const replace = replaceId()
        database.on("data", (data) => client.write(replace(data)))
        client.on("data", (data) => database.write(data))
        for (const [one, other] of [
          [client, database],
          [database, client],
        ] as const)
          one.on("error", () => undefined).on("close", () => other.destroy())
      })
      server.listen(0, "127.0.0.1", () => resume(Effect.succeed(server)))
    }),
    (server) => Effect.sync(() => void server.close()),
  ).pipe(
    Effect.map((server) => {
      const address = server.address()
      const port = typeof address === "object" && address !== null ? address.port : 0
      return `postgresql://vigil@127.0.0.1:${port}${new URL(url).pathname}`
    }),
  )
