/** Prometheus on a free port, which scrapes servers each second. */
import { spawn } from "node:child_process"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { createInterface } from "node:readline"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Schedule from "effect/Schedule"
import * as Stream from "effect/Stream"
import { folder } from "../support/folder.js"

/** Returns its URL when it is ready. It evaluates the texts of rule files each second. */
export const startPrometheus = Effect.fnUntraced(function* (
  urls: ReadonlyArray<string>,
  rules: ReadonlyArray<string> = [],
) {
  const path = yield* folder
  const files = rules.map((text, index) => ({ name: `${index}.rules.yml`, text }))
  for (const { name, text } of files) writeFileSync(join(path, name), text)
  const config = {
    global: { scrape_interval: "1s", evaluation_interval: "1s" },
    scrape_configs: [{ job_name: "vigil", static_configs: [{ targets: urls.map((url) => new URL(url).host) }] }],
    rule_files: files.map(({ name }) => name),
  }
  // YAML is a superset of JSON.
  writeFileSync(join(path, "prometheus.yml"), JSON.stringify(config))
  const flags = ["config.file=prometheus.yml", "storage.tsdb.path=data", "web.listen-address=127.0.0.1:0"]
  const command = yield* Effect.acquireRelease(
    Effect.sync(() =>
      spawn(
        "prometheus",
        flags.map((flag) => `--${flag}`),
        { cwd: path, stdio: ["ignore", "ignore", "pipe"] },
      ),
    ),
    (command) =>
      Effect.callback<void>((resume) => {
        command.once("exit", () => resume(Effect.void))
        command.kill()
      }),
  )
  const lines = Stream.fromAsyncIterable(createInterface(command.stderr), (error) => error)
  const listening = yield* lines.pipe(
    Stream.map((line) => /Listening on.*address=(127\.0\.0\.1:\d+)/.exec(line)?.[1]),
    Stream.filter(Predicate.isNotUndefined),
    Stream.runHead,
  )
  const url = `http://${Option.getOrThrow(listening)}`
  const isReady = Effect.promise(async () => (await fetch(`${url}/-/ready`)).ok)
  yield* Effect.repeat(isReady, { until: (ready) => ready, schedule: Schedule.spaced("100 millis") })
  return url
})
