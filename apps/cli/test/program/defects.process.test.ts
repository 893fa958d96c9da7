/** A defect ends a poll, a page, a call or a change, and no command that runs on. No text of the service is in what is printed of it. */
import type { ChildProcess } from "node:child_process"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "@effect/vitest"
import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js"
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js"
import { Faults, Reply } from "@vigil/sandbox"
import * as Effect from "effect/Effect"
import { afterEach, vi } from "vitest"
import { bin, vigil } from "../support/subprocess.js"
import { startReceiver } from "../support/receiver.js"
import { send } from "../support/server.js"

const breakTexts = fileURLToPath(new URL("../support/breakTexts.ts", import.meta.url))

const runtime = [process.execPath, "--import", breakTexts]

const report = /This is a bug in vigil, please report it: Error at [\w-]+\.js:\d+:\d+/

/** Every broken text has it. */
const secret = "secret-5d0a"

const broken = {
  /** The polls compare IDs. */
  id: { name: `BREAK-toLowerCase ${secret}`, title: "a title" },
  /** Pages, metrics and lines escape titles and services. */
  title: { name: "A", title: `BREAK-replace BREAK-replaceAll <${secret}>` },
}

const healthy = { name: "B", title: "a healthy title" }

interface Sent {
  readonly name: string
  readonly title: string
}

const now = new Date().toISOString()

const toEvents = ({ name, title }: Sent) =>
  ["ServiceIssue", "PlannedMaintenance"].map((eventType) => ({
    name: `${name}-${eventType}`,
    properties: {
      title,
      eventType,
      eventLevel: "Critical",
      status: "Active",
      impact: [{ impactedService: title, impactedRegions: [{ impactedRegion: title, status: "Active" }] }],
      impactStartTime: new Date(0).toISOString(),
      lastUpdateTime: now,
    },
  }))

/** A service whose subscription `good` has a healthy event, and `bad` the events of `set`. `polled` waits for two more polls. */
const serveEvents = Effect.gen(function* () {
  let sent: ReadonlyArray<Sent> = []
  let refusal: string | undefined
  const server = yield* Faults.serve(({ target }) => {
    if (target.includes("/good/")) return Reply.page(toEvents(healthy))
    return refusal === undefined
      ? Reply.page(sent.flatMap(toEvents))
      : Reply.json({ error: { code: refusal, message: refusal } }, { status: 403 })
  })
  const polled = Effect.gen(function* () {
    const { length } = yield* server.requests
    yield* server.awaitRequests(length + 6)
  })
  return {
    env: { HEALTH_BASE_URL: server.origin },
    set: (...events: ReadonlyArray<Sent>) => {
      refusal = undefined
      sent = events
    },
    /** Refuses requests for the list of `bad` with this text. */
    refuse: (text: string) => void (refusal = text),
    polled,
  }
})

/** Starts a command. `output` is all that it printed, and `printed` waits for a text. */
const start = (args: ReadonlyArray<string>, env: Readonly<Record<string, string>>) =>
  Effect.gen(function* () {
    let output = ""
    let process: ChildProcess | undefined
    const onStart = (child: ChildProcess) => {
      process = child
      for (const stream of [child.stdout, child.stderr]) stream?.on("data", (chunk) => (output += String(chunk)))
    }
    const end = vigil(args, { env, runtime, onStart })
    yield* Effect.addFinalizer(() => Effect.sync(() => process?.kill("SIGKILL")))
    return {
      output: () => output,
      printed: (text: RegExp) =>
        Effect.repeat(
          Effect.delay(
            Effect.sync(() => output),
            "20 millis",
          ),
          { until: (output) => text.test(output) },
        ),
      stop: Effect.suspend(() => {
        process?.kill("SIGTERM")
        return Effect.promise(() => end)
      }),
    }
  })

/** Connects the official client. `call` lists the events. */
const connect = (transport: StdioClientTransport | StreamableHTTPClientTransport) =>
  Effect.promise(async () => {
    const client = new Client({ name: "test", version: "1.0.0" })
    // The type of `sessionId` lacks `undefined`.
    await client.connect(transport as Parameters<typeof client.connect>[0])
    return {
      call: Effect.promise(() => client.callTool({ name: "health_events", arguments: {} })),
      close: Effect.promise(() => client.close()),
    }
  })

afterEach(() => void vi.unstubAllEnvs())

describe("a defect", () => {
  it.live("ends a command with 70 and a report", () =>
    Effect.gen(function* () {
      const { env, set } = yield* serveEvents
      set(broken.title)
      for (const args of [["list"], ["watch", "--once"]]) {
        const { code, stderr, stdout } = yield* Effect.promise(() =>
          vigil(["events", ...args, "-s", "bad"], { env, runtime }),
        )
        expect([code, stdout]).toEqual([70, ""])
        expect(stderr).toMatch(report)
        expect(stderr).not.toContain(secret)
      }
    }),
  )

  it.live("in a callback ends a command with 70 and a report", () =>
    Effect.gen(function* () {
      const code = `setTimeout(() => Promise.reject(new Error(${JSON.stringify(secret)})), 500)`
      const late = [process.execPath, "--import", `data:text/javascript,${encodeURIComponent(code)}`]
      const ended = yield* Effect.promise(() => vigil(["sandbox", "--port", "0"], { runtime: late }))
      expect(ended).toMatchObject({ code: 70, stderr: expect.stringContaining("please report it: Error.\n") })
      expect(ended.stderr).not.toContain(secret)
    }),
  )

  it.live("in a poll or a page of serve ends only these", () =>
    Effect.gen(function* () {
      const { env, polled, refuse, set } = yield* serveEvents
      set(broken.id)
      const server = yield* start(["serve", "--port", "0", "--every", "1s", "-s", "good", "-s", "bad"], env)
      const url = /http\S+/.exec(yield* server.printed(/http\S+/))?.[0] ?? ""
      const paths = ["", "events", "calendar.ics", "metrics", "readyz"]
      const get = Effect.forEach(paths, (path) => send(`${url}${path}`))
      yield* polled
      const failedPoll = yield* get
      expect(failedPoll.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
      expect(failedPoll[1]?.text).toContain(healthy.title)
      expect(failedPoll[4]?.text).toMatch(/^ready\nCould not read Subscription bad\b/)
      // Errors are redacted and formatted.
      refuse("BREAK-replace BREAK-replaceAll BREAK-toLowerCase")
      yield* polled
      expect((yield* get)[4]).toMatchObject({
        status: 200,
        text: expect.stringContaining("Could not read Subscription bad"),
      })
      set(broken.title)
      yield* polled
      const failedPage = yield* get
      expect(failedPage.map(({ status }) => status)).toEqual([500, 500, 500, 500, 200])
      set({ ...healthy, title: "all is well again" })
      yield* polled
      const works = yield* get
      expect(works.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
      expect(works[1]?.text).toContain("all is well again")
      expect((yield* server.stop).code).toBe(0)
      expect(server.output()).toMatch(
        /vigil: bad: A poll failed, the next one is in 1s\. .*please report it: Error at /,
      )
      expect(server.output()).toMatch(/No response to GET \/calendar.ics\. .*please report it: Error at /)
      expect(
        JSON.stringify([server.output(), failedPoll, failedPage.map(({ status, text }) => status === 500 && text)]),
      ).not.toContain(secret)
    }),
  )

  it.live("in a poll or a change of a watch ends only these", () =>
    Effect.gen(function* () {
      const { env, polled, set } = yield* serveEvents
      set(broken.id)
      const watch = yield* start(["events", "watch", "--every", "1s", "-s", "bad"], env)
      yield* watch.printed(/A poll failed/)
      set(broken.title)
      yield* watch.printed(/A change was not handled/)
      set(healthy)
      yield* watch.printed(/a healthy title/)
      yield* polled
      expect((yield* watch.stop).code).toBe(0)
      expect(watch.output()).toMatch(report)
      expect(watch.output()).not.toContain(secret)
    }),
  )

  it.live("in a change ends no other notification of serve, nor a call of its tools", () =>
    Effect.gen(function* () {
      const { env, polled, set } = yield* serveEvents
      const receiver = yield* startReceiver()
      set(broken.title, { ...healthy, name: "C" })
      const flags = ["--port", "0", "--every", "1s", "-s", "bad", "--routes", receiver.routes, "--mcp"]
      const hook = { HOOK_URL: process.env["HOOK_URL"] ?? "", HOOK_SECRET: process.env["HOOK_SECRET"] ?? "" }
      const server = yield* start(["serve", ...flags], { ...env, ...hook })
      const url = /http\S+/.exec(yield* server.printed(/http\S+/))?.[0] ?? ""
      yield* server.printed(/A change was not sent/)
      const { call, close } = yield* connect(new StreamableHTTPClientTransport(new URL(`${url}mcp`)))
      set(broken.id)
      const failed = yield* call
      set({ ...healthy, name: "C" }, { name: "D", title: "all is well again" })
      yield* polled
      const works = yield* call
      yield* close
      expect(failed).toMatchObject({ isError: true })
      expect(JSON.stringify(works)).toContain("all is well again")
      expect((yield* server.stop).code).toBe(0)
      const received = JSON.stringify(receiver.received)
      expect([healthy.title, "all is well again"].filter((title) => !received.includes(title))).toEqual([])
      expect(server.output() + JSON.stringify(failed)).not.toContain(secret)
    }),
  )

  it.live("in a tool of mcp ends only the call", () =>
    Effect.gen(function* () {
      const { env, set } = yield* serveEvents
      set(broken.id)
      const transport = new StdioClientTransport({
        command: process.execPath,
        args: [...runtime.slice(1), bin, "mcp", "-s", "bad"],
        env: { ...env, HEALTH_ACCESS_TOKEN: "x", VIGIL_NO_KEYCHAIN: "1" },
        stderr: "pipe",
      })
      let log = ""
      transport.stderr?.on("data", (chunk) => (log += String(chunk)))
      const { call, close } = yield* connect(transport)
      const failed = yield* call
      expect(failed).toMatchObject({ isError: true })
      set(healthy)
      expect(JSON.stringify(yield* call)).toContain(healthy.title)
      yield* close
      expect(log).toMatch(report)
      expect(log).toContain("tool=health_events")
      expect(log + JSON.stringify(failed)).not.toContain(secret)
    }),
  )
})

describe("a cursor of 40,000 characters that an error response repeats", () => {
  const cursor = "йцукенгшщзхъ".repeat(3_334)
  const token = "canary-9c1d"

  /** Sends an empty page with the cursor for `bad`, then errors with this status. */
  const serveCursor = (status: number) =>
    Faults.serve(({ headers, target }) => {
      if (!target.includes("/bad/")) return Reply.page([])
      if (target.includes("skipToken="))
        return Reply.json(
          { error: { code: "No", message: `${cursor.slice(0, 99)} ${headers["authorization"]}` } },
          { status },
        )
      return Reply.page([], `http://${headers["host"]}${target}&$skipToken=${encodeURIComponent(cursor)}`)
    })

  const secretsIn = (output: string) =>
    [cursor.slice(0, 12), encodeURIComponent(cursor.slice(0, 12)), token].filter((secret) => output.includes(secret))

  it.live("is not in the output of commands", () =>
    Effect.gen(function* () {
      const env = { HEALTH_BASE_URL: (yield* serveCursor(400)).origin, HEALTH_ACCESS_TOKEN: token }
      for (const line of ["events list", "resources list", "events watch --once"]) {
        const args = ["--log-level", "all", ...line.split(" "), "-s", "bad"]
        const { code, stderr, stdout } = yield* Effect.promise(() => vigil(args, { env }))
        expect([line, code, secretsIn(stdout + stderr)]).toEqual([line, 8, []])
        expect(stderr).toContain("The health service responded 400")
      }
    }),
  )

  it.live("is not in the output of serve, a watch and mcp, which go on", () =>
    Effect.gen(function* () {
      const server = yield* serveCursor(500)
      const env = { HEALTH_BASE_URL: server.origin, HEALTH_ACCESS_TOKEN: token }
      const flags = ["--every", "1s", "-s", "good", "-s", "bad"]
      const watch = yield* start(["events", "watch", ...flags], env)
      const pages = yield* start(["--log-level", "all", "serve", "--port", "0", "--resources", ...flags], env)
      const url = /http\S+/.exec(yield* pages.printed(/http\S+/))?.[0] ?? ""
      yield* watch.printed(/A poll failed/)
      yield* pages.printed(/A poll failed(.|\n)+A poll failed(.|\n)+A poll failed/)
      const texts = yield* Effect.forEach(["", "events", "metrics", "readyz"], (path) => send(`${url}${path}`))
      const transport = new StdioClientTransport({
        command: process.execPath,
        args: [bin, "--log-level", "all", "mcp", "-s", "bad"],
        env: { ...env, VIGIL_NO_KEYCHAIN: "1" },
        stderr: "pipe",
      })
      let log = ""
      transport.stderr?.on("data", (chunk) => (log += String(chunk)))
      const { call, close } = yield* connect(transport)
      const called = yield* Effect.all([call, call])
      yield* close
      expect([(yield* watch.stop).code, (yield* pages.stop).code]).toEqual([0, 0])
      expect(secretsIn(JSON.stringify([watch.output(), pages.output(), texts, log, called]))).toEqual([])
    }),
  )
})
