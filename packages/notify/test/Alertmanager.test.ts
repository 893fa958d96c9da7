/** An Alertmanager that already has alerts of an event. */
import { expect, it } from "@effect/vitest"
import { Credential } from "@vigil/core-http"
import { Alertmanager } from "@vigil/notify"
import { Faults, Reply } from "@vigil/sandbox"
import { oneLayer } from "@vigil/testing/HttpStack"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { sample } from "./sample.js"

it.scopedLive("the sink resolves former alerts of the event, and no other alert", () =>
  Effect.gen(function* () {
    const now = yield* DateTime.now
    const { labels } = Alertmanager.payload(sample, { now })
    const alert = (labels: Readonly<Record<string, string>>, startsAt: string) => ({ labels, startsAt, status: {} })
    const past = "2026-03-10T11:00:00.000+01:00"
    const server = yield* Faults.serve(({ method }) =>
      method === "POST"
        ? Reply.empty(200)
        : Reply.json([
            alert(labels, past),
            alert({ ...labels, severity: "warning" }, past),
            alert({ ...labels, service: "Other" }, "9999-01-01T00:00:00.000Z"),
            alert({ ...labels, environment: "test" }, past),
          ]),
    )
    const credential = Credential.bearer(Redacted.make("token"))
    const sink = yield* Alertmanager.make({ url: server.origin, credential })
    yield* sink.deliver({ ...sample, key: 'a"b\\c\n' })
    yield* sink.deliver(sample)
    const requests = yield* server.requests
    const [first, , list, post] = requests
    const filter = (target = "") => new URL(target, server.origin).searchParams.getAll("filter")
    expect(filter(first?.target)).toEqual([`alertname="ServiceHealthEvent"`, String.raw`key="a\"b\\c"`])
    expect(filter(list?.target)).toEqual([`alertname="ServiceHealthEvent"`, `key="ab12-cd3"`])
    const alerts: ReadonlyArray<Alertmanager.Alert> = JSON.parse(post?.body ?? "")
    expect(alerts).toMatchObject([
      { labels },
      { labels: { ...labels, severity: "warning" }, startsAt: "2026-03-10T10:00:00.000Z" },
      { labels: { ...labels, service: "Other" } },
    ])
    for (const { endsAt, startsAt = "" } of alerts) expect(startsAt <= endsAt).toBe(true)
    expect(alerts.map(({ endsAt }) => Date.parse(endsAt) > Date.now())).toEqual([true, false, false])
    for (const { headers } of requests) expect(headers["authorization"]).toBe("Bearer token")
  }).pipe(Effect.provide(oneLayer)),
)
