/** The sink with the Alertmanager of the system, `prometheus-alertmanager`. */
import { spawn } from "node:child_process"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { expect, it } from "@effect/vitest"
import { Alertmanager, type Notification } from "@vigil/notify"
import { Faults, Reply } from "@vigil/sandbox"
import { oneLayer } from "@vigil/testing/HttpStack"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import { sample } from "../notifications.js"

const folder = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(tmpdir(), "vigil-"))),
  (path) => Effect.promise(() => rm(path, { recursive: true })),
)

const config = (receiver: string) => `
route: { receiver: test, group_by: [key], group_wait: 1ms, group_interval: 1s }
receivers: [{ name: test, webhook_configs: [{ url: "${receiver}" }] }]
`

/** Starts Alertmanager on a port that the system chooses. Returns its URL. */
const start = (receiver: string) =>
  Effect.gen(function* () {
    const path = yield* folder
    const file = join(path, "config.yml")
    yield* Effect.promise(() => writeFile(file, config(receiver)))
    const command = yield* Effect.acquireRelease(
      Effect.sync(() =>
        spawn(
          "prometheus-alertmanager",
          [
            `--config.file=${file}`,
            `--storage.path=${path}`,
            "--web.listen-address=127.0.0.1:0",
            "--cluster.listen-address=",
          ],
          { stdio: ["ignore", "ignore", "pipe"] },
        ),
      ),
      (command) =>
        Effect.async<void>((resume) => {
          command.once("exit", () => resume(Effect.void))
          command.kill()
        }),
    )
    const lines = Stream.fromAsyncIterable(createInterface(command.stderr), (error) => error)
    const listening = yield* Stream.runHead(
      Stream.filterMap(lines, (line) => Option.fromNullable(/address=(127\.0\.0\.1:\d+)/.exec(line)?.[1])),
    )
    return `http://${yield* listening}`
  })

const listAlerts = (url: string): Effect.Effect<unknown> =>
  Effect.promise(async () => (await fetch(`${url}/api/v2/alerts`)).json())

it.scopedLive("an event is one alert while its labels change, until it is resolved", () =>
  Effect.gen(function* () {
    const receiver = yield* Faults.serve([Reply.empty(200)])
    const url = yield* start(receiver.origin)
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
