/** Notifications: `events watch --routes`, `notify check` and `notify test`. */
import { execFileSync } from "node:child_process"
import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import { Faults, Reply } from "@vigil/sandbox"
import * as Effect from "effect/Effect"
import { afterEach, vi } from "vitest"
import { folder } from "../support/folder.js"
import { run, type RunOptions } from "../support/run.js"
import { serveSubscriptions, subscriptionService } from "../support/service.js"

afterEach(() => void vi.unstubAllEnvs())

const document = `
sinks:
  hook: { type: webhook, url: { env: HOOK_URL }, secret: { env: HOOK_SECRET } }
  pager: { type: webhook, url: { env: PAGER_URL }, secret: { env: HOOK_SECRET }, minimumLevel: Critical }
routes:
  - to: [hook, pager]
`

const event = (name: string, eventLevel: string, status = "Active") => ({
  name,
  properties: { title: `title of ${name}`, eventLevel, status, lastUpdateTime: new Date().toISOString() },
})

interface Received {
  readonly id: string | undefined
  readonly key: unknown
}

/** A receiver that responds with `reply`, and what it has received. */
const receiver = (reply: () => Reply.Reply = () => Reply.empty(204)) =>
  Effect.gen(function* () {
    const received: Array<Received> = []
    const server = yield* Faults.serve(({ body, headers }) => {
      const { key, state, title } = JSON.parse(body).data
      received.push({ id: headers["webhook-id"], key: state === "summary" ? title : key })
      return reply()
    })
    return { received, url: `${server.origin}/secret-path` }
  })

const start = Effect.gen(function* () {
  const path = yield* folder
  const routes = join(path, "routes.yaml")
  writeFileSync(routes, document)
  const events = [event("A", "Warning"), event("B", "Critical"), event("OVER", "Critical", "Resolved")]
  const service = yield* serveSubscriptions(() => Reply.page(events))
  vi.stubEnv("HOOK_SECRET", `whsec_${Buffer.alloc(32, 7).toString("base64")}`)
  const listen = (hook: string, pager = hook) => {
    vi.stubEnv("HOOK_URL", hook)
    vi.stubEnv("PAGER_URL", pager)
  }
  const watchWith = (options: RunOptions, ...args: ReadonlyArray<string>) =>
    run(["events", "watch", "--once", "-s", "x", "--base-url", service.origin, "--routes", routes, ...args], options)
  const watch = (...args: ReadonlyArray<string>) => watchWith({}, ...args)
  return { events, path, routes, service, listen, watch, watchWith }
})

describe("events watch --routes", () => {
  it.live("sends each change to the sinks of its routes, once over several runs", () =>
    Effect.gen(function* () {
      const { listen, path, watch } = yield* start
      const [hook, pager] = yield* Effect.all([receiver(), receiver()])
      listen(hook.url, pager.url)
      const state = join(path, "state")
      const first = yield* watch("--state-file", state)
      expect(first).toMatchObject({ code: 0, notes: [] })
      expect(first.data).toHaveLength(3)
      expect(hook.received.map(({ key }) => key)).toEqual(["2 active events: 1 Critical, 1 Warning"])
      expect(pager.received.map(({ key }) => key)).toEqual(["b"])
      expect((yield* watch("--state-file", state)).code).toBe(0)
      expect([hook.received.length, pager.received.length]).toEqual([1, 1])
      expect(readdirSync(path)).toContain("state.notifications.pager")
    }),
  )

  it.live("keeps messages that a sink did not accept for the next run, with the same IDs", () =>
    Effect.gen(function* () {
      const { listen, path, watch } = yield* start
      let isDown = true
      const hook = yield* receiver(() => Reply.empty(isDown ? 501 : 204))
      const down = yield* receiver(() => Reply.empty(isDown ? 503 : 204, { "retry-after": "3600" }))
      listen(down.url, hook.url)
      const state = join(path, "state")
      const failed = yield* watch("--state-file", state)
      expect(failed.code).toBe(1)
      expect(failed.notes.join("\n")).toMatch(/Could not notify hook: .*1 waiting, 0 dead letters/)
      // A 501 response is permanent.
      expect(failed.notes.join("\n")).toMatch(/Could not notify pager: .*0 waiting, 1 dead letter/)
      expect(failed.notes.join("\n")).not.toContain("secret-path")
      isDown = false
      const ids = new Set(down.received.map(({ id }) => id))
      expect((yield* watch("--state-file", state)).code).toBe(0)
      expect(new Set(down.received.slice(-1).map(({ id }) => id))).toEqual(ids)
      expect(hook.received).toHaveLength(1)
    }),
  )

  it.live("fails if the notifications can't be stored, and sends them in the next run", () =>
    Effect.gen(function* () {
      const { listen, path, watch, watchWith } = yield* start
      listen((yield* receiver()).url)
      const state = join(path, "state")
      const stored = `${state}.notifications.hook`
      const block = Effect.sync(() => void mkdirSync(stored, { recursive: true }))
      const failed = yield* watchWith({ watch: () => block }, "--state-file", state)
      expect(failed.code).toBe(74)
      expect(failed.notes.at(-1)).toMatch(/state\.notifications\.hook" could not be written \(E\w+\)/)
      rmSync(stored, { recursive: true })
      writeFileSync(stored, "{}")
      const foreign = yield* watch("--state-file", state)
      expect(foreign.code).toBe(2)
      expect(foreign.notes.at(-1)).toContain('hook" is not a state file of vigil')
      rmSync(stored)
      expect((yield* watch("--state-file", state)).code).toBe(0)
    }),
  )

  it.live("fails before a request if the file is missing, or a secret is missing or invalid", () =>
    Effect.gen(function* () {
      const { listen, path, routes, service, watch } = yield* start
      expect((yield* watch()).notes.join()).toContain(
        "url of the sink hook: the environment variable HOOK_URL is not set",
      )
      listen("http://secret-host.example/secret-path", `${service.origin}/`)
      const url = `The option url (the environment variable HOOK_URL) of the sink "hook" must be an HTTPS URL`
      expect((yield* watch()).notes.at(-1)).toContain(url)
      const key = join(path, "key")
      writeFileSync(key, "secret-key")
      writeFileSync(routes, document.replace("{ env: HOOK_SECRET }, min", `{ file: ${JSON.stringify(key)} }, min`))
      const { code, notes } = yield* run(["notify", "check", routes])
      expect(code).toBe(2)
      expect(notes.at(-1)).toContain(url)
      expect(notes.at(-1)).toContain(
        `The option secret (the file ${JSON.stringify(key)}) of the sink "pager" must be whsec_`,
      )
      expect(notes.join()).not.toMatch(/secret-(host|path|key)/)
      rmSync(routes)
      expect(yield* watch()).toMatchObject({ code: 2, notes: [expect.stringContaining("routes.yaml")] })
      expect(yield* service.requests).toEqual([])
    }),
  )
})

describe("notify check", () => {
  it.live.each(["/dev/zero", "a named pipe"])("refuses %s as a routes file and as a secret file", (name) =>
    Effect.gen(function* () {
      const { path, routes } = yield* start
      const file = name === "/dev/zero" ? name : join(path, "pipe")
      if (name !== file) execFileSync("mkfifo", [file])
      expect(yield* run(["notify", "check", file])).toMatchObject({
        code: 2,
        notes: [expect.stringContaining("can't be read (not a regular file)")],
      })
      writeFileSync(routes, document.replaceAll("{ env: HOOK_URL }", `{ file: ${JSON.stringify(file)} }`))
      expect(yield* run(["notify", "check", routes])).toMatchObject({
        code: 2,
        notes: [expect.stringContaining("is not a regular file")],
      })
    }),
  )

  it.live("prints the sinks of each listed event, without secrets", () =>
    Effect.gen(function* () {
      const { routes, service } = yield* start
      const line = ["notify", "check", routes, "--base-url", service.origin]
      const { code, data, notes } = yield* run([...line, "-s", "x"])
      expect(code).toBe(0)
      expect(notes).toEqual([
        `${JSON.stringify(routes)} is valid: 2 sinks, 1 route`,
        "Not checked, because their secrets are not set: hook, pager",
        "3 events of x",
        "The first run sends a sink one summary instead of several events. Alertmanager, PagerDuty and sinks with repeatEvery get each event.",
      ])
      expect(data).toEqual([
        "SUBSCRIPTION\tTRACKING ID\tSTATE\tLEVEL\tTITLE\tSINKS\tLATER (UTC)",
        "x\tA\topened\tWarning\ttitle of A\thook\t",
        "x\tB\topened\tCritical\ttitle of B\thook, pager\t",
        "x\tOVER\tresolved\tCritical\ttitle of OVER\t\t",
      ])
      const { origin } = yield* subscriptionService({ x: [event("A", "Warning")], y: 403 })
      const some = yield* run(["notify", "check", routes, "--base-url", origin, "-s", "x", "-s", "y"])
      expect([some.code, some.data.length]).toEqual([1, 2])
      expect(some.notes).toContainEqual(expect.stringMatching(/^vigil: y: .*403/))
    }),
  )

  it.live("notes subscriptions of routes that have no such name, once each", () =>
    Effect.gen(function* () {
      const { routes } = yield* start
      const matches = ["[Pord, Production]", "[stagign, Pord]"].map(
        (names) => `  - { match: { subscription: ${names} }, to: hook }\n`,
      )
      writeFileSync(routes, `${document}${matches.join("")}`)
      const { code, notes } = yield* run(["notify", "check", routes, "--sandbox"])
      expect([code, ...notes.filter((note) => note.includes("has the name"))]).toEqual([
        0,
        'vigil: No subscription has the name "Pord". Did you mean "Production"?',
        'vigil: No subscription has the name "stagign". Did you mean "Staging"?',
      ])
    }),
  )

  it.live("lists all mistakes with their lines, and works without a service", () =>
    Effect.gen(function* () {
      const { path, routes } = yield* start
      expect(yield* run(["notify", "check", routes, "-o", "json"])).toMatchObject({ code: 0, data: ["[]"] })
      const file = join(path, "wrong.yaml")
      writeFileSync(file, document.replace("routes:\n  - to: [hook, pager]", "routes:\n  - too: [hook]\n"))
      const { code, notes } = yield* run(["notify", "check", file])
      expect(code).toBe(2)
      expect(notes.at(-1)).toMatch(/wrong\.yaml.* has mistakes: line 6:\d+ routes\.0 has an unknown key.*; /)
    }),
  )
})

describe("notify test", () => {
  it.live("sends an event and its resolution to one sink", () =>
    Effect.gen(function* () {
      const { listen, routes } = yield* start
      const [hook, pager] = yield* Effect.all([receiver(), receiver()])
      listen(hook.url, pager.url)
      const { code, notes } = yield* run(["notify", "test", "hook", "--routes", routes])
      expect([code, ...notes]).toEqual([0, 'Sent a test notification to "hook", and resolved it.'])
      expect(hook.received.map(({ key }) => key)).toEqual(["vigil-test", "vigil-test"])
      expect(pager.received).toEqual([])
    }),
  )

  it.live("names the secrets to check if a sink rejects them, without their values", () =>
    Effect.gen(function* () {
      const { listen, routes } = yield* start
      const { url } = yield* receiver(() => Reply.empty(403))
      listen(url)
      expect(yield* run(["notify", "test", "hook", "--routes", routes])).toMatchObject({
        code: 4,
        notes: [
          expect.stringMatching(/ 403\. Check url \(.* HOOK_URL\) and secret \(.* HOOK_SECRET\) of the sink "hook"/),
        ],
      })
    }),
  )

  it.live("fails for an unknown sink, and if the routes have no sinks", () =>
    Effect.gen(function* () {
      const { routes } = yield* start
      const unknown = yield* run(["notify", "test", "hok", "--routes", routes])
      expect(unknown).toMatchObject({ code: 2, notes: [expect.stringContaining('Did you mean "hook"?')] })
      writeFileSync(routes, "sinks: {}\nroutes: []\n")
      expect(yield* run(["notify", "test", "hook", "--routes", routes])).toMatchObject({
        code: 2,
        notes: ["vigil: The routes file has no sinks: add one under sinks."],
      })
    }),
  )
})
