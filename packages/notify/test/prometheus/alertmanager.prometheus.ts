/** The sink with the Alertmanager of the system, `prometheus-alertmanager`. */
import { spawn } from "node:child_process"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { expect, it } from "@effect/vitest"
import { Alertmanager, Delivery, type Notification } from "@vigil/notify"
import { Faults, Reply } from "@vigil/sandbox"
import { oneLayer } from "@vigil/testing/HttpStack"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Schedule from "effect/Schedule"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { fragments, sample } from "../notifications.js"

const folder = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(tmpdir(), "vigil-"))),
  (path) => Effect.promise(() => rm(path, { recursive: true })),
)

const config = (receiver: string) => `
route: { receiver: test, group_by: [key], group_wait: 1ms, group_interval: 1s }
receivers: [{ name: test, webhook_configs: [{ url: "${receiver}" }] }]
`

/** Starts Alertmanager, by default on a port that the system chooses. Returns its URL. */
const start = (receiver: string, path: string, address = "127.0.0.1:0") =>
  Effect.gen(function* () {
    const file = join(path, "config.yml")
    yield* Effect.promise(() => writeFile(file, config(receiver)))
    const command = yield* Effect.acquireRelease(
      Effect.sync(() =>
        spawn(
          "prometheus-alertmanager",
          [
            `--config.file=${file}`,
            `--storage.path=${path}`,
            `--web.listen-address=${address}`,
            "--cluster.listen-address=",
          ],
          { stdio: ["ignore", "ignore", "pipe"] },
        ),
      ),
      (command) =>
        Effect.callback<void>((resume) => {
          command.once("exit", () => resume(Effect.void))
          command.kill()
        }),
    )
    const lines = Stream.fromAsyncIterable(createInterface(command.stderr), (error) => error)
    const listening = yield* Stream.runHead(
      Stream.filter(
        Stream.map(lines, (line) => /address=(127\.0\.0\.1:\d+)/.exec(line)?.[1]),
        Predicate.isNotUndefined,
      ),
    )
    return `http://${Option.getOrThrow(listening)}`
  })

const listAlerts = (url: string): Effect.Effect<unknown> =>
  Effect.promise(async () => (await fetch(`${url}/api/v2/alerts`)).json())

/** Waits until Alertmanager has counted a sent message. It would send the message again if it stopped before. */
const messageSent = (url: string) =>
  Effect.repeat(
    Effect.promise(async () => (await fetch(`${url}/metrics`)).text()),
    {
      until: (text) => /notification_latency_seconds_count\{integration="webhook"\} [1-9]/.test(text),
      schedule: Schedule.spaced("100 millis"),
    },
  )

it.live("an event is one alert while its labels change, until it is resolved", () =>
  Effect.gen(function* () {
    const receiver = yield* Faults.serve([Reply.empty(200)])
    const url = yield* start(receiver.origin, yield* folder)
    const sink = yield* Alertmanager.make({ url, labels: { environment: 'a "test"' } })
    const active = listAlerts(url)
    const deliver = (changes: Partial<Notification.Notification>) => sink.deliver({ ...sample, ...changes })

    yield* deliver({})
    expect(yield* active).toMatchObject([{ labels: { severity: "critical", key: "ab12-cd3" } }])
    const { body } = yield* receiver.awaitRequests(1)
    expect(JSON.parse(body)).toMatchObject({ status: "firing", groupLabels: { key: "ab12-cd3" } })

    yield* deliver({ state: "updated", level: "Warning", services: ["Storage"] })
    expect(yield* active).toMatchObject([{ labels: { severity: "warning", service: "Storage" } }])

    yield* deliver({ state: "resolved", level: "Error", endedAt: "2026-03-10T13:00:00.000Z" })
    expect(yield* active).toEqual([])

    yield* deliver({ state: "reopened" })
    expect(yield* active).toMatchObject([{ labels: { severity: "critical" } }])
    yield* deliver({ state: "withdrawn" })
    expect(yield* active).toEqual([])
  }).pipe(Effect.provide(oneLayer)),
)

it.live("accepts hostile texts, and the same notification again", () =>
  Effect.gen(function* () {
    const receiver = yield* Faults.serve([Reply.empty(200)])
    const url = yield* start(receiver.origin, yield* folder)
    const sink = yield* Alertmanager.make({ url })
    const text = fragments.join("")
    const hostile = { ...sample, key: text, title: text, text, type: text, services: fragments, regions: [text] }
    for (const state of ["opened", "opened", "updated", "resolved", "resolved"] as const)
      yield* sink.deliver({ ...hostile, state })
    expect(yield* listAlerts(url)).toEqual([])
  }).pipe(Effect.provide(oneLayer)),
)

it.live("an alert returns after a restart of Alertmanager, without a second message", () =>
  Effect.gen(function* () {
    const receiver = yield* Faults.serve([Reply.empty(200)])
    const path = yield* folder
    const first = yield* Scope.make()
    const url = yield* Scope.provide(start(receiver.origin, path), first)
    const sink = yield* Alertmanager.make({ url, repeatEvery: "1 second" })
    const { deliver, flush, status } = yield* Delivery.make({ sinks: [sink] })
    yield* deliver(sample)
    yield* flush
    yield* receiver.awaitRequests(1)
    yield* messageSent(url)
    yield* Scope.close(first, Exit.void)

    yield* start(receiver.origin, path, new URL(url).host)
    const alert = { labels: { key: "ab12-cd3", severity: "critical" } }
    const listed = Effect.repeat(listAlerts(url), {
      until: (alerts) => Array.isArray(alerts) && alerts.length > 0,
      schedule: Schedule.spaced("100 millis"),
    })
    expect(yield* Effect.andThen(listed, listAlerts(url))).toMatchObject([alert])
    expect(yield* status).toMatchObject([{ delivered: 1, failed: 0, deadLettered: 0 }])

    yield* deliver({ ...sample, id: "2", state: "resolved", status: "Resolved" })
    yield* flush
    expect(yield* listAlerts(url)).toEqual([])
    const { body } = yield* receiver.awaitRequests(2)
    expect(JSON.parse(body)).toMatchObject({ status: "resolved" })
  }).pipe(Effect.provide(oneLayer)),
)
