/** Signs in without a browser: requests the URL that the command prints, and sends the fragment to its page. */
import { request } from "node:http"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { run, type Run } from "./run.js"

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

/** A sign-in that waits for the response of the authorization server. */
export interface PendingSignIn {
  /** The URL that the command printed. */
  readonly authorizationUrl: URL
  /** The page of the command that receives the response. */
  readonly redirectUri: string
  /** Sends a fragment to the command, as the page does. */
  readonly sendFragment: (fragment: string) => Effect.Effect<TextResponse>
  /** Waits until the command ends. */
  readonly end: Effect.Effect<Run>
}

/** Runs the command until it prints the authorization URL. */
export const signIn = (line: string) =>
  Effect.gen(function* () {
    const printed = yield* Deferred.make<string>()
    const fiber = yield* Effect.forkChild(
      run(line, {
        onNote: (text) => {
          if (/^https?:\S+$/.test(text)) Deferred.doneUnsafe(printed, Effect.succeed(text))
        },
      }).pipe(Effect.tap((ended) => Deferred.die(printed, new Error(ended.notes.join("\n"))))),
    )
    const authorizationUrl = new URL(yield* Deferred.await(printed))
    const redirectUri = authorizationUrl.searchParams.get("redirect_uri") ?? ""
    const sendFragment = (fragment: string) =>
      Effect.gen(function* () {
        const { origin } = new URL(redirectUri)
        const [, path] = /data-path="([^"]+)"/.exec((yield* send(redirectUri)).text) ?? []
        return yield* send(`${origin}${path}`, {
          method: "POST",
          headers: { origin, "content-type": "application/json" },
          body: JSON.stringify({ fragment }),
        })
      })
    return { authorizationUrl, redirectUri, sendFragment, end: Fiber.join(fiber) } satisfies PendingSignIn
  })

/** Returns the fragment of the `allow` or `deny` link on the authorization server's page. */
export const decide = (authorizationUrl: URL, link: "allow" | "deny"): Effect.Effect<string> =>
  Effect.map(send(authorizationUrl.href), ({ text }) => {
    const [, href = ""] = new RegExp(`id="${link}" href="([^"]+)"`).exec(text) ?? []
    return new URL(href.replaceAll("&#38;", "&")).hash
  })
