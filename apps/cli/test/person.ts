/** A person who signs in, without a browser: they read what the command prints, and do what its pages would do. */
import { request } from "node:http"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { run, type Run } from "./run.js"

/** An answer of the command's page. */
export interface Reply {
  readonly status: number
  readonly headers: Readonly<Record<string, string | ReadonlyArray<string> | undefined>>
  readonly text: string
}

/** Sends a request as it is, whatever a browser would make of it. */
export const send = (
  url: string,
  {
    body = "",
    headers = {},
    method = "GET",
  }: { readonly method?: string; readonly headers?: Readonly<Record<string, string>>; readonly body?: string } = {},
): Effect.Effect<Reply> =>
  Effect.async((resume) => {
    const sent = request(url, { method, headers }, (response) => {
      let text = ""
      response.on("data", (part) => (text += String(part)))
      response.on("end", () =>
        resume(Effect.succeed({ status: response.statusCode ?? 0, headers: response.headers, text })),
      )
    })
    sent.on("error", (error) => resume(Effect.succeed({ status: 0, headers: {}, text: error.message })))
    sent.end(body)
  })

/** A sign-in that waits for its answer. */
export interface SigningIn {
  /** The address that was printed. */
  readonly address: URL
  /** Where the answer comes back to. */
  readonly page: string
  /** Hands over an answer, as the page would. */
  readonly bring: (fragment: string) => Effect.Effect<Reply>
  /** Waits for the command's end. */
  readonly end: Effect.Effect<Run>
}

/** Runs the command until it has printed where to sign in. */
export const signIn = (line: string) =>
  Effect.gen(function* () {
    const printed = yield* Deferred.make<string>()
    const fiber = yield* Effect.fork(
      run(line, {
        onNote: (text) => {
          if (/^https?:\S+$/.test(text)) Deferred.unsafeDone(printed, Effect.succeed(text))
        },
      }).pipe(Effect.tap((ended) => Deferred.die(printed, new Error(ended.notes.join("\n"))))),
    )
    const address = new URL(yield* Deferred.await(printed))
    const page = address.searchParams.get("redirect_uri") ?? ""
    const bring = (fragment: string) =>
      Effect.gen(function* () {
        const [, path] = /data-path="([^"]+)"/.exec((yield* send(page)).text) ?? []
        return yield* send(`${new URL(page).origin}${path}`, {
          method: "POST",
          headers: { origin: new URL(page).origin, "content-type": "application/json" },
          body: JSON.stringify({ answer: fragment }),
        })
      })
    return { address, page, bring, end: Fiber.join(fiber) } satisfies SigningIn
  })

/** The fragment that a link of the authorization server's page leads to: `allow` or `deny`. */
export const decide = (address: URL, link: "allow" | "deny"): Effect.Effect<string> =>
  Effect.map(send(address.href), ({ text }) => {
    const [, href = ""] = new RegExp(`id="${link}" href="([^"]+)"`).exec(text) ?? []
    return new URL(href.replaceAll("&#38;", "&")).hash
  })
