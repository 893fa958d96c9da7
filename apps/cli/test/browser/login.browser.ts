import { describe, expect, it } from "@effect/vitest"
import { Sandbox } from "@vigil/sandbox"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { afterEach, vi } from "vitest"
import { place } from "../ground.js"
import { type SigningIn, signIn } from "../person.js"
import { browser } from "./chromium.js"

afterEach(() => {
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
})

const canary = "canary-b3a8-token"

/** A person's browser, and what went wrong in it or left it. */
const window = Effect.gen(function* () {
  const chromium = yield* browser
  const page = yield* Effect.promise(() => chromium.newPage())
  const complaints: Array<string> = []
  const asked: Array<string> = []
  page.on("console", (message) => complaints.push(message.text()))
  page.on("pageerror", (error) => complaints.push(error.message))
  page.on("dialog", (dialog) => {
    complaints.push(dialog.message())
    void dialog.dismiss()
  })
  page.on("request", (request) => asked.push(request.url()))
  const ask = <A>(use: (page_: typeof page) => Promise<A>) => Effect.promise(() => use(page))
  return { ask, complaints, asked }
})

/** A sandbox that is the service and signs people in, a sign-in that waits, and a browser. */
const ground = Effect.gen(function* () {
  // The browser keeps files of its own where the environment says, and not in the test's place.
  const opened = yield* window
  const here = yield* place
  const sandbox = yield* Sandbox.make()
  vi.stubEnv("HEALTH_BASE_URL", sandbox.baseUrl)
  vi.stubEnv("HEALTH_AUTH_URL", sandbox.baseUrl)
  vi.stubEnv("HEALTH_CLIENT_ID", "tester")
  return { here, sandbox, signing: yield* signIn("auth login --no-browser"), ...opened }
})

const heading = "h1"

/** Waits for the page's last word, and reads all of it. */
const outcome = (ask: Effect.Effect.Success<typeof window>["ask"]) =>
  ask(async (page) => {
    await page.getByText("You can close this window.").waitFor()
    return [await page.locator(heading).textContent(), await page.getByRole("status").textContent()]
  })

const stateOf = ({ address }: SigningIn) => address.searchParams.get("state") ?? ""

describe("signing in with a browser", () => {
  it.scopedLive("ends with the token kept, a window that may be closed, and nothing in its address or history", () =>
    Effect.gen(function* () {
      const { ask, asked, complaints, here, sandbox, signing } = yield* ground
      const { accessToken } = sandbox
      yield* ask((page) => page.goto(signing.address.href))
      yield* ask((page) => page.click("#allow"))
      expect(yield* outcome(ask)).toEqual(["You are signed in", "The command continues. You can close this window."])
      expect(yield* ask(async (page) => page.url())).toBe(signing.page)
      expect(yield* ask((page) => page.evaluate("location.href + document.documentElement.outerHTML"))).not.toContain(
        Redacted.value(accessToken),
      )
      expect(yield* signing.end).toMatchObject({ code: 0 })
      expect(
        here.files().map(({ file, mode, text }) => [file, mode, text.includes(Redacted.value(accessToken))]),
      ).toEqual([[here.tokenFile("health"), 0o600, true]])
      const history = yield* ask(async (page) => {
        const session = await page.context().newCDPSession(page)
        return (await session.send("Page.getNavigationHistory")).entries.map(({ url }) => url)
      })
      expect(history).toEqual(["about:blank", signing.address.href, signing.page])
      expect(complaints).toEqual([])
      expect(asked.map((url) => new URL(url).hostname).filter((host) => host !== "127.0.0.1")).toEqual([])
      expect(asked.some((url) => url.replace(/#.*/s, "").includes(Redacted.value(accessToken)))).toBe(false)
    }),
  )

  it.scopedLive("works with the embedded sandbox, which lives as long as the sign-in", () =>
    Effect.gen(function* () {
      const { ask, complaints } = yield* window
      const here = yield* place
      const signing = yield* signIn("auth login --no-browser --sandbox")
      yield* ask((page) => page.goto(signing.address.href))
      yield* ask((page) => page.click("#allow"))
      expect(yield* outcome(ask)).toContain("You are signed in")
      expect(yield* signing.end).toMatchObject({ code: 0 })
      expect({ complaints, files: here.files() }).toEqual({ complaints: [], files: [] })
    }),
  )

  it.scopedLive("shows that it was denied", () =>
    Effect.gen(function* () {
      const { ask, complaints, here, signing } = yield* ground
      yield* ask((page) => page.goto(signing.address.href))
      yield* ask((page) => page.click("#deny"))
      expect(yield* outcome(ask)).toEqual([
        "You are not signed in",
        expect.stringContaining("The sign-in was refused: access_denied (The user denied the request.)"),
      ])
      expect(yield* signing.end).toMatchObject({ code: 3 })
      expect({ complaints, files: here.files() }).toEqual({ complaints: [], files: [] })
    }),
  )

  it.scopedLive("refuses an answer with another state, and still takes the right one", () =>
    Effect.gen(function* () {
      const { ask, here, signing } = yield* ground
      const forged = new URLSearchParams({ access_token: canary, token_type: "Bearer", state: "x" })
      yield* ask((page) => page.goto(`${signing.page}#${forged.toString()}`))
      expect(yield* outcome(ask)).toEqual([
        "You are not signed in",
        expect.stringContaining("contains another state and was not used."),
      ])
      expect(yield* ask(async (page) => page.url())).toBe(signing.page)
      yield* ask((page) => page.goto(signing.address.href))
      yield* ask((page) => page.click("#allow"))
      expect(yield* outcome(ask)).toContain("You are signed in")
      const ended = yield* signing.end
      expect(ended.code).toBe(0)
      expect(JSON.stringify([ended, here.files()])).not.toContain(canary)
    }),
  )

  it.scopedLive("shows what a server says as text", () =>
    Effect.gen(function* () {
      const { ask, complaints, signing } = yield* ground
      const hostile = "<img src=x onerror=alert(1)><script>alert(2)</script>"
      const answer = new URLSearchParams({ error: hostile, error_description: hostile, state: stateOf(signing) })
      yield* ask((page) => page.goto(`${signing.page}#${answer.toString()}`))
      expect((yield* outcome(ask))[1]).toContain(`${hostile} (${hostile})`)
      expect(yield* ask((page) => page.locator("img").count())).toBe(0)
      expect(complaints).toEqual([])
      yield* signing.end
    }),
  )

  it.scopedLive("goes on waiting when its page is looked at without an answer", () =>
    Effect.gen(function* () {
      const { ask, signing } = yield* ground
      yield* ask((page) => page.goto(signing.page))
      expect(yield* outcome(ask)).toContain("No response to process")
      yield* ask((page) => page.goto(signing.address.href))
      yield* ask((page) => page.click("#allow"))
      expect(yield* outcome(ask)).toContain("You are signed in")
      expect(yield* signing.end).toMatchObject({ code: 0 })
    }),
  )

  it.scopedLive("is not taken from a page of another origin", () =>
    Effect.gen(function* () {
      const { ask, sandbox, signing } = yield* ground
      yield* ask((page) => page.goto(sandbox.baseUrl))
      const reached = yield* ask((page) =>
        page.evaluate(`fetch(${JSON.stringify(signing.page)}).then(() => "read", () => "refused")`),
      )
      expect(reached).toBe("refused")
      yield* signing.bring(`#error=x&state=${stateOf(signing)}`)
      yield* signing.end
    }),
  )
})
