/** Servers on a port, and why they can't listen. */
import type { Server } from "node:http"
import * as Effect from "effect/Effect"
import { codeOf } from "../files/SystemError.js"
import { UsageError } from "../flags/UsageError.js"

const reasons: Readonly<Record<string, string>> = {
  EADDRINUSE: "is in use. Pass another --port.",
  EACCES: "requires more rights. Pass a --port above 1023.",
}

/** `describeOther`: the sentence for any other error code. */
export const listenError = (
  error: unknown,
  port: number,
  describeOther = (code: string) => `Port ${port} can't be used (${code}). Pass another --port.`,
): UsageError => {
  const code = codeOf(error) ?? "unknown reason"
  const reason = reasons[code]
  return new UsageError(reason === undefined ? describeOther(code) : `Port ${port} ${reason}`)
}

/** Starts a server, which `close` stops with the scope. Returns its port. */
export const listen = (
  server: Server,
  { host, port }: { readonly host: string; readonly port: number },
  close: Effect.Effect<void>,
  describeOther?: (code: string) => string,
) =>
  Effect.acquireRelease(
    Effect.callback<number, UsageError>((resume) => {
      server.once("error", (error) => resume(listenError(error, port, describeOther)))
      server.listen({ host, port }, () => {
        const bound = server.address()
        resume(Effect.succeed(typeof bound === "object" && bound !== null ? bound.port : port))
      })
    }),
    () => close,
  )
