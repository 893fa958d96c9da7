/** Alerts of Alertmanager, and how the sink keeps one alert for each event. */
import { describe, expect, it } from "@effect/vitest"
import { Credential } from "@vigil/core-http"
import { Alertmanager, type Notification } from "@vigil/notify"
import { Faults, Reply } from "@vigil/sandbox"
import { oneLayer } from "@vigil/testing/HttpStack"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { sample } from "./notifications.js"

/** https://github.com/prometheus/alertmanager/blob/main/api/v2/openapi.yaml */
describe("an alert for Alertmanager", () => {
  const now = DateTime.makeUnsafe("2026-03-10T14:00:00Z")
  const labels = {
    alertname: "ServiceHealthEvent",
    key: "ab12-cd3",
    severity: "critical",
    type: "ServiceIssue",
    service: "Key Vault, Storage",
    region: "West Europe",
  }

  it("is active for its lifetime", () => {
    expect(Alertmanager.payload(sample, { now, labels: { environment: "prod", key: "x", empty: "" } })).toEqual({
      labels: { ...labels, environment: "prod" },
      annotations: {
        summary: "New: Storage: 503 responses",
        description: "Requests fail.\n\n- Retry.",
        status: "Active",
        tracking_id: "AB12-CD3",
        subscription: "a0000001",
      },
      startsAt: "2026-03-10T11:00:00.120Z",
      endsAt: "2026-04-09T14:00:00.000Z",
      generatorURL: "https://portal.example/AB12-CD3",
    })
  })

  const at = (day: string) => `2026-${day}:00:00.000Z`
  it.each<readonly [string, Partial<Notification.Notification>, string, string]>([
    ["when the event is resolved", {}, "03-10T11", "03-10T13"],
    ["when it is withdrawn", { state: "withdrawn", endedAt: null }, "03-10T11", "03-10T14"],
    ["not in the future", { startedAt: at("04-01T00"), endedAt: at("04-02T00") }, "03-10T14", "03-10T14"],
    ["at an invalid time now", { startedAt: "never", endedAt: "?" }, "03-10T14", "03-10T14"],
    ["after it starts", { state: "opened", startedAt: at("04-01T00") }, "04-01T00", "05-01T00"],
  ])("ends %s", (_, fields, startsAt, endsAt) => {
    const resolved = { ...sample, state: "resolved", startedAt: at("03-10T11"), endedAt: at("03-10T13") } as const
    expect(Alertmanager.payload({ ...resolved, ...fields }, { now })).toMatchObject({
      startsAt: at(startsAt),
      endsAt: at(endsAt),
    })
  })
})

it.live("the sink resolves former alerts of the event, and no other alert", () =>
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
    expect(sink.repeatEvery).toEqual(Duration.minutes(1))
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
