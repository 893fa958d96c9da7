import { describe, expect, it } from "@effect/vitest"
import { Sandbox } from "@vigil/sandbox"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { afterEach, vi } from "vitest"
import { makeWorkspace } from "../workspace.js"
import { type PendingSignIn, signIn } from "../signInFlow.js"
import { browser } from "./chromium.js"

afterEach(() => {
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
})

/** A page of a browser, its console messages, errors and dialogs, and the URLs that it requested. */
const window = Effect.gen(function* () {
  const chromium = yield* browser
  const page = yield* Effect.promise(() => chromium.newPage())
  const messages: Array<string> = []
  const requests: Array<string> = []
  page.on("console", (message) => messages.push(message.text()))
  page.on("pageerror", (error) => messages.push(error.message))
  page.on("dialog", (dialog) => {
    messages.push(dialog.message())
    void dialog.dismiss()
  })
  page.on("request", (request) => requests.push(request.url()))
  const ask = <A>(use: (page_: typeof page) => Promise<A>) => Effect.promise(() => use(page))
  return { ask, messages, requests }
})

/** A sandbox as service and authorization server, a started sign-in, and a browser. */
const startSignIn = Effect.gen(function* () {
  // The browser starts first, so that it stores its files outside the folders of the test.
  const opened = yield* window
  const workspace = yield* makeWorkspace
  const sandbox = yield* Sandbox.make()
  vi.stubEnv("HEALTH_BASE_URL", sandbox.baseUrl)
  vi.stubEnv("HEALTH_AUTH_URL", sandbox.baseUrl)
  vi.stubEnv("HEALTH_CLIENT_ID", "tester")
  return { workspace, sandbox, signing: yield* signIn("auth login --no-browser"), ...opened }
})

const heading = "h1"

/** Waits for the final message of the page. Returns its heading and its status text. */
const outcome = (ask: Effect.Success<typeof window>["ask"]) =>
  ask(async (page) => {
    await page.getByText("You can close this window.").waitFor()
    return [await page.locator(heading).textContent(), await page.getByRole("status").textContent()]
  })

const stateOf = ({ authorizationUrl }: PendingSignIn) => authorizationUrl.searchParams.get("state") ?? ""

describe("signing in with a browser", () => {
  it.live("stores the token, and keeps it out of the page, its URL and the history", () =>
    Effect.gen(function* () {
      const { ask, messages, requests, sandbox, signing, workspace } = yield* startSignIn
      const { accessToken } = sandbox
      yield* ask((page) => page.goto(signing.authorizationUrl.href))
      yield* ask((page) => page.click("#allow"))
      expect(yield* outcome(ask)).toContain("You are signed in")
      expect(yield* ask(async (page) => page.url())).toBe(signing.redirectUri)
      expect(yield* ask((page) => page.evaluate("location.href + document.documentElement.outerHTML"))).not.toContain(
        Redacted.value(accessToken),
      )
      expect(yield* signing.end).toMatchObject({ code: 0 })
      expect(
        workspace.files().map(({ file, mode, text }) => [file, mode, text.includes(Redacted.value(accessToken))]),
      ).toEqual([[workspace.tokenFile("health"), 0o600, true]])
      const history = yield* ask(async (page) => {
        const session = await page.context().newCDPSession(page)
        return (await session.send("Page.getNavigationHistory")).entries.map(({ url }) => url)
      })
      expect(history).toEqual(["about:blank", signing.authorizationUrl.href, signing.redirectUri])
      expect(messages).toEqual([])
      expect(requests.map((url) => new URL(url).hostname).filter((host) => host !== "127.0.0.1")).toEqual([])
      expect(requests.some((url) => url.replace(/#.*/s, "").includes(Redacted.value(accessToken)))).toBe(false)
    }),
  )

  it.live("shows the error of a server as plain text", () =>
    Effect.gen(function* () {
      const { ask, messages, signing } = yield* startSignIn
      const hostile = "<img src=x onerror=alert(1)><script>alert(2)</script>"
      const response = new URLSearchParams({ error: hostile, error_description: hostile, state: stateOf(signing) })
      yield* ask((page) => page.goto(`${signing.redirectUri}#${response.toString()}`))
      expect((yield* outcome(ask))[1]).toContain(`${hostile} (${hostile})`)
      expect(yield* ask((page) => page.locator("img").count())).toBe(0)
      expect(messages).toEqual([])
      yield* signing.end
    }),
  )

  it.live("keeps waiting when its page is opened without a response", () =>
    Effect.gen(function* () {
      const { ask, signing } = yield* startSignIn
      yield* ask((page) => page.goto(signing.redirectUri))
      expect(yield* outcome(ask)).toContain("No response to process")
      yield* ask((page) => page.goto(signing.authorizationUrl.href))
      yield* ask((page) => page.click("#allow"))
      expect(yield* outcome(ask)).toContain("You are signed in")
      expect(yield* signing.end).toMatchObject({ code: 0 })
    }),
  )

  it.live("does not let a page of another origin read its page", () =>
    Effect.gen(function* () {
      const { ask, sandbox, signing } = yield* startSignIn
      yield* ask((page) => page.goto(sandbox.baseUrl))
      const reached = yield* ask((page) =>
        page.evaluate(`fetch(${JSON.stringify(signing.redirectUri)}).then(() => "read", () => "refused")`),
      )
      expect(reached).toBe("refused")
      yield* signing.sendFragment(`#error=x&state=${stateOf(signing)}`)
      yield* signing.end
    }),
  )
})
