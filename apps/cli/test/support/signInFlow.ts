/** Signs in without a browser: opens the URL that the command prints, and sends the fragment to its page. */
import { request } from "node:http"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { run } from "./run.js"

/** A response of the command's page. */
export interface TextResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string | ReadonlyArray<string> | undefined>>
  readonly text: string
}

/** Sends a request with any headers, including those that `fetch` forbids. The status is 0 if the request fails. */
export const send = (
  url: string,
  {
    body = "",
    headers = {},
    method = "GET",
  }: { readonly method?: string; readonly headers?: Readonly<Record<string, string>>; readonly body?: string } = {},
): Effect.Effect<TextResponse> =>
  Effect.callback((resume) => {
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

/** Runs the command until it prints its URL. `end` waits until it ends. */
export const startSignIn = (line: string) =>
  Effect.gen(function* () {
    const printed = yield* Deferred.make<string>()
    const fiber = yield* Effect.forkChild(
      run(line, {
        onNote: (text) => {
          if (/^https?:\S+$/.test(text)) Deferred.doneUnsafe(printed, Effect.succeed(text))
        },
      }).pipe(Effect.tap((ended) => Deferred.die(printed, new Error(ended.notes.join("\n"))))),
    )
    return { startUrl: yield* Deferred.await(printed), end: Fiber.join(fiber) }
  })

/** Opens the URL of a command as a browser does. */
export const openUrl = (startUrl: string) =>
  Effect.gen(function* () {
    const opened = yield* send(startUrl)
    const authorizationUrl = new URL(String(opened.headers["location"]))
    const redirectUri = authorizationUrl.searchParams.get("redirect_uri") ?? ""
    const cookie = String(opened.headers["set-cookie"]).replace(/;.*/s, "")
    /** Sends a fragment to the command, as its page does. */
    const sendFragment = (fragment: string, headers: Readonly<Record<string, string>> = { cookie }) =>
      Effect.gen(function* () {
        const { origin } = new URL(redirectUri)
        const [, path] = /data-path="([^"]+)"/.exec((yield* send(redirectUri)).text) ?? []
        return yield* send(`${origin}${path}`, {
          method: "POST",
          headers: { ...headers, origin, "content-type": "application/json" },
          body: JSON.stringify({ fragment }),
        })
      })
    return { opened, authorizationUrl, redirectUri, cookie, sendFragment }
  })

/** Runs the command until it prints its URL, and opens it. */
export const signIn = (line: string) =>
  Effect.gen(function* () {
    const started = yield* startSignIn(line)
    return { ...started, ...(yield* openUrl(started.startUrl)) }
  })

/** Returns the fragment of the `allow` or `deny` link on the authorization server's page. */
export const decide = (authorizationUrl: URL, link: "allow" | "deny"): Effect.Effect<string> =>
  Effect.map(send(authorizationUrl.href), ({ text }) => {
    const [, href = ""] = new RegExp(`id="${link}" href="([^"]+)"`).exec(text) ?? []
    return new URL(href.replaceAll("&#38;", "&")).hash
  })
