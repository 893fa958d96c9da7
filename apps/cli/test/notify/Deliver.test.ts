/** The notes of a watch about its sinks. */
import { mkdirSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import { expect, it } from "@effect/vitest"
import * as TestHttpClient from "@vigil/testing/TestHttpClient"
import * as ApiVersion from "@vigil/health-schema/ApiVersion"
import * as HealthEvent from "@vigil/health-schema/HealthEvent"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import { vi } from "vitest"
import * as Deliver from "../../src/notify/shared/Deliver.js"
import { Output } from "../../src/output/Output.js"
import * as SubscriptionNames from "../../src/settings/SubscriptionNames.js"
import { folder } from "../support/folder.js"
import { collectNotes } from "../support/notes.js"

const eventOf = (name: string) =>
  Effect.fromResult(HealthEvent.decode(ApiVersion.defaultVersion)({ name, properties: { title: name } }))

/** Delivers to a sink that responds with the status of `target`. */
const start = Effect.gen(function* () {
  const path = yield* folder
  const routes = join(path, "routes.yaml")
  writeFileSync(
    routes,
    "sinks: { chat: { type: webhook, url: { env: CHAT_URL }, secret: none } }\nroutes: [{ to: chat }]\n",
  )
  vi.stubEnv("CHAT_URL", "https://chat.example/secret-path")
  yield* Effect.addFinalizer(() => Effect.sync(() => vi.unstubAllEnvs()))
  const target = { status: 400 }
  const { output, take } = collectNotes()
  const make = (stateFile?: string) =>
    Deliver.make({
      routes,
      stateFile,
      every: Duration.minutes(5),
      once: false,
      publicUrl: undefined,
      names: SubscriptionNames.make([]),
    }).pipe(
      Effect.provide([NodeFileSystem.layer, TestHttpClient.layer(() => target)]),
      Effect.provideService(Output, output),
    )
  return { make, path, take, target }
})

it.effect("a sink that fails is noted, after an hour again, and so is its recovery", () =>
  Effect.gen(function* () {
    const { make, take, target } = yield* start
    const deliver = yield* make()
    const notesAfter = (name: string) =>
      Effect.gen(function* () {
        const event = yield* eventOf(name)
        yield* deliver.change({ _tag: "Appeared", event }, "x")
        yield* TestClock.adjust("2 minutes")
        return take()
      })
    const refused =
      'vigil: Could not notify chat: Webhook.deliver: the Webhook service responded 400. Check url (the environment variable CHAT_URL) of the sink "chat" in the routes.'
    const lost = (letters: string) =>
      `vigil: ${letters} for chat since the start. To keep dead letters, pass --state-file.`
    expect(yield* notesAfter("A")).toEqual([`${refused} 0 waiting.`, lost("1 dead letter")])
    expect(yield* notesAfter("B")).toEqual([lost("2 dead letters")])
    const notesLater = Effect.andThen(TestClock.adjust("1 hour"), Effect.sync(take))
    expect(yield* notesLater).toEqual([`${refused} 0 waiting.`, lost("2 dead letters")])
    expect(yield* notesLater).toEqual([])
    target.status = 200
    expect(yield* notesAfter("C")).toEqual(["vigil: Notifications to chat are delivered again."])
    expect(yield* notesAfter("D")).toEqual([])
  }),
)

it.effect("changes that cannot be stored together are noted once", () =>
  Effect.gen(function* () {
    const { make, path, take } = yield* start
    const stateFile = join(path, "state")
    const deliver = yield* make(stateFile)
    const blocked = `${stateFile}.notifications.chat`
    mkdirSync(blocked)
    const changes = yield* Effect.forEach(["A", "B", "C"], eventOf)
    const delivering = yield* Effect.forkChild(
      Effect.forEach(changes, (event) => deliver.change({ _tag: "Appeared", event }, "x"), {
        concurrency: "unbounded",
      }),
    )
    const settle = Effect.promise(() => new Promise((done) => setTimeout(done, 50)))
    const notes: Array<string> = []
    while (notes.length === 0) {
      yield* settle
      notes.push(...take())
    }
    // Those that wait for the first write fail as well.
    yield* settle
    rmSync(blocked, { recursive: true })
    while (delivering.pollUnsafe() === undefined) {
      yield* TestClock.adjust("5 minutes")
      yield* settle
    }
    yield* Fiber.join(delivering)
    expect([...notes, ...take()].filter((note) => note.includes("could not be written"))).toHaveLength(1)
  }),
)
