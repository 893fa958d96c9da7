/** A first knock at an address, without any token: does something answer, over which TLS, and what time is it there? */
import { request as plain } from "node:http"
import { request as secure } from "node:https"
import { TLSSocket } from "node:tls"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"

/** What answered. `date` is its own word for the time; `tls` its protocol, and the end of its certificate. */
export interface Answered {
  readonly date: string | undefined
  readonly tls: { readonly protocol: string; readonly validTo: string } | undefined
}

/** Nothing answered. `isTls`: something was there, and TLS with it failed. `code` is the system's name for why. */
export class Unanswered extends Data.TaggedError("Unanswered")<{
  readonly isTls: boolean
  readonly code: string | undefined
}> {}

/** The codes of what goes wrong between two that speak TLS. */
const tlsCodes = /CERT|^ERR_TLS|^ERR_SSL|^EPROTO$|^UNABLE_TO_/

const tlsOf = (socket: unknown): Answered["tls"] =>
  socket instanceof TLSSocket
    ? { protocol: socket.getProtocol() ?? "TLS", validTo: socket.getPeerCertificate().valid_to }
    : undefined

/** Knocks once, and waits for ten seconds at most. Whatever the status, it is an answer. */
export const knock = (address: URL): Effect.Effect<Answered, Unanswered> =>
  Effect.async<Answered, Unanswered>((resume) => {
    const request = address.protocol === "https:" ? secure : plain
    const sent = request(address, { agent: false, headers: { accept: "*/*" } }, (response) => {
      resume(Effect.succeed({ date: response.headers.date, tls: tlsOf(response.socket) }))
      response.destroy()
    })
    sent.on("error", (error) => {
      const code = "code" in error && typeof error.code === "string" ? error.code : undefined
      resume(new Unanswered({ isTls: tlsCodes.test(code ?? ""), code }))
    })
    sent.end()
    return Effect.sync(() => sent.destroy())
  }).pipe(
    Effect.timeoutFail({
      duration: "10 seconds",
      onTimeout: () => new Unanswered({ isTls: false, code: "ETIMEDOUT" }),
    }),
  )
