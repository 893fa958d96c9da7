import { describe, expect, it } from "@effect/vitest"
import { Sandbox } from "@vigil/sandbox"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { afterEach, vi } from "vitest"
import { startSignIn } from "../support/signInFlow.js"
import { makeWorkspace } from "../support/workspace.js"
import { newTab } from "@vigil/testing/Chromium"

afterEach(() => {
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
})

/** A page of a browser, its console messages, errors and dialogs, and the URLs that it requested. */
const window = Effect.gen(function* () {
  const page = yield* newTab()
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

/** A sandbox as service and authorization server, and a browser at its page to allow or deny a sign-in. */
const scene = Effect.gen(function* () {
  // The browser starts first, so that it stores its files outside the folders of the test.
  const opened = yield* window
  const workspace = yield* makeWorkspace
  const sandbox = yield* Sandbox.make()
  vi.stubEnv("HEALTH_BASE_URL", sandbox.baseUrl)
  // Another site than that of the command.
  vi.stubEnv("HEALTH_AUTH_URL", sandbox.baseUrl.replace("127.0.0.1", "localhost"))
  vi.stubEnv("HEALTH_CLIENT_ID", "tester")
  const { end, startUrl } = yield* startSignIn("auth login --no-browser")
  yield* opened.ask((page) => page.goto(startUrl))
  const authorizationUrl = yield* opened.ask(async (page) => new URL(page.url()))
  const redirectUri = authorizationUrl.searchParams.get("redirect_uri") ?? ""
  return { workspace, sandbox, authorizationUrl, redirectUri, end, ...opened }
})

const heading = "h1"

/** Waits for the final message of the page. Returns its heading and its status text. */
const outcome = (ask: Effect.Success<typeof window>["ask"]) =>
  ask(async (page) => {
    await page.getByText("You can close this window.").waitFor()
    return [await page.locator(heading).textContent(), await page.getByRole("status").textContent()]
  })

describe("signing in with a browser", () => {
  it.live("stores the token, and keeps it out of the page, its URL and the history", () =>
    Effect.gen(function* () {
      const { ask, authorizationUrl, end, messages, redirectUri, requests, sandbox, workspace } = yield* scene
      const { accessToken } = sandbox
      yield* ask((page) => page.click("#allow"))
      expect(yield* outcome(ask)).toContain("You are signed in")
      expect(yield* ask(async (page) => page.url())).toBe(redirectUri)
      expect(yield* ask((page) => page.evaluate("location.href + document.documentElement.outerHTML"))).not.toContain(
        Redacted.value(accessToken),
      )
      expect(yield* end).toMatchObject({ code: 0 })
      expect(
        workspace.files().map(({ file, mode, text }) => [file, mode, text.includes(Redacted.value(accessToken))]),
      ).toEqual([[workspace.tokenFile("health"), 0o600, true]])
      const history = yield* ask(async (page) => {
        const session = await page.context().newCDPSession(page)
        return (await session.send("Page.getNavigationHistory")).entries.map(({ url }) => url)
      })
      expect(history).toEqual(["about:blank", authorizationUrl.href, redirectUri])
      expect(messages).toEqual([])
      expect(
        requests.map((url) => new URL(url).hostname).filter((host) => !["127.0.0.1", "localhost"].includes(host)),
      ).toEqual([])
      expect(requests.some((url) => url.replace(/#.*/s, "").includes(Redacted.value(accessToken)))).toBe(false)
    }),
  )

  it.live("shows the error of a server as plain text", () =>
    Effect.gen(function* () {
      const { ask, authorizationUrl, end, messages, redirectUri } = yield* scene
      const hostile = "<img src=x onerror=alert(1)><script>alert(2)</script>"
      const state = authorizationUrl.searchParams.get("state") ?? ""
      const response = new URLSearchParams({ error: hostile, error_description: hostile, state })
      yield* ask((page) => page.goto(`${redirectUri}#${response.toString()}`))
      expect((yield* outcome(ask))[1]).toContain(`${hostile} (${hostile})`)
      expect(yield* ask((page) => page.locator("img").count())).toBe(0)
      expect(messages).toEqual([])
      yield* end
    }),
  )

  it.live("keeps waiting when its page is opened without a response, and cannot be read by another origin", () =>
    Effect.gen(function* () {
      const { ask, authorizationUrl, end, redirectUri } = yield* scene
      yield* ask((page) => page.goto(redirectUri))
      expect(yield* outcome(ask)).toContain("No response to process")
      yield* ask((page) => page.goto(authorizationUrl.href))
      const read = `fetch(${JSON.stringify(redirectUri)}).then(() => "read", () => "refused")`
      expect(yield* ask((page) => page.evaluate(read))).toBe("refused")
      yield* ask((page) => page.click("#allow"))
      expect(yield* outcome(ask)).toContain("You are signed in")
      expect(yield* end).toMatchObject({ code: 0 })
    }),
  )
})
