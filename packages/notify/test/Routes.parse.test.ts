import { Routes } from "@vigil/notify"
import { Ajv } from "ajv"
import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"
import { parseDocument } from "yaml"

const document = `
sinks:
  pager: { type: pagerduty, routingKey: { env: PAGERDUTY_KEY }, url: https://events.eu.pagerduty.com/v2/enqueue, minimumLevel: error }
  chat: { type: slack, url: { file: /run/secrets/slack } }
  alerts: { type: alertmanager, url: http://127.0.0.1:9093, token: { env: TOKEN } }
  hook: { type: webhook, url: { env: HOOK_URL }, secret: { env: HOOK_SECRET } }
  team: { type: teams, url: { env: TEAMS_URL } }
routes:
  - match: { type: serviceissue, level: [Critical, Error], region: West Europe }
    quietHours: &night { from: 22:00, to: 07:00, timeZone: Europe/Berlin, except: Critical }
    to: [pager, chat]
  - minimumLevel: Warning
    quietHours: *night
    groupFor: 5 minutes
    to: alerts
`

const mistakes = (text: string) =>
  Result.match(Routes.parse(text), {
    onFailure: ({ mistakes }) =>
      mistakes.map(({ column, line, path, reason }) => `${line}:${column} ${path} ${reason}`.replace("  ", " ")),
    onSuccess: () => [],
  })

const sinks = "sinks: { a: { type: slack, url: { env: A } } }\n"
const levels = "Critical, Error, Warning, Informational"
const reference = "a reference to a secret: write { env: NAME } or { file: /path }, and store the secret there"
const noSink =
  "is not a sink: write { type: slack }, teams, pagerduty, alertmanager or webhook, and the settings of the type"
const types =
  "ServiceIssue, PlannedMaintenance, HealthAdvisory, RCA, EmergingIssues, SecurityAdvisory, Billing, Resource"

/** Each document with its mistakes. A JSON Schema finds all but the last. */
const invalid: ReadonlyArray<readonly [string, ReadonlyArray<string>]> = [
  ["", ["1:1 is not a map of names to values"]],
  ["sinks: {}", ["1:1 routes is missing"]],
  ["sinks: []\nroutes: {}", ["1:1 sinks is not a map of names to values", "2:1 routes is not a list of routes"]],
  [
    `${sinks}routes: [{ match: [], to: a }, 1]`,
    ["2:12 routes.0.match is not a map of names to values", "2:32 routes.1 is not a map of names to values"],
  ],
  [
    `${sinks}routes:\n  - match: { severity: Critical }\n    to: a\n    too: b`,
    [
      "3:14 routes.0.match has an unknown key: use type, level, status, service, region or subscription",
      "5:5 routes.0 has an unknown key: use match, minimumLevel, quietHours, groupFor or to",
    ],
  ],
  [
    `${sinks}routes:\n  - match: { level: [Critical, fatal], type: Issue, status: 1, service: "", region: [] }\n    to: []`,
    [
      `3:32 routes.0.match.level.1 is not one of ${levels}`,
      `3:40 routes.0.match.type is not one of ${types}`,
      "3:53 routes.0.match.status is not one of Active, Resolved, or a list of them",
      "3:64 routes.0.match.service is not a text",
      "3:77 routes.0.match.region is not a text, or a list of them",
      "4:5 routes.0.to is not a name of at most 64 letters, digits, dots, dashes and underscores, or a list of them",
    ],
  ],
  [
    `${sinks}routes: [{ to: a, quietHours: { from: "24:00", to: 7, zone: x }, groupFor: 5m }]`,
    [
      "2:19 routes.0.quietHours.timeZone is missing",
      '2:33 routes.0.quietHours.from is not a time such as "22:00"',
      '2:48 routes.0.quietHours.to is not a time such as "22:00"',
      "2:55 routes.0.quietHours has an unknown key: use from, to, timeZone or except",
      '2:66 routes.0.groupFor is not a duration such as "5 minutes"',
    ],
  ],
  [
    "sinks:\n  a: { type: slack, url: https://hooks.example/T1/secret }\n  b: { type: mail }\n  c: {}\n  4u: 5\n  d: x\nroutes: []",
    [
      `2:21 sinks.a.url is not ${reference}`,
      `3:3 sinks.b ${noSink}`,
      `4:3 sinks.c ${noSink}`,
      "5:3 sinks has a key that is not a name of at most 64 letters, digits, dots, dashes and underscores",
      `6:3 sinks.d ${noSink}`,
    ],
  ],
  [
    "sinks:\n  a: { type: webhook, url: { env: 1A }, secret: { environment: A } }\n  b: { type: pagerduty, routingKey: { env: A, file: B } }\n  d: { type: webhook, url: {}, secret: 1 }\n  c: { type: alertmanager, url: http://me:secret@host }\nroutes: []",
    [
      "2:30 sinks.a.url.env is not the name of an environment variable",
      "2:51 sinks.a.secret has an unknown key: use env or file",
      `3:25 sinks.b.routingKey is not ${reference}`,
      `4:23 sinks.d.url is not ${reference}`,
      `4:32 sinks.d.secret is not ${reference}, or write none to send requests without a signature`,
      "5:28 sinks.c.url is not a URL without a password",
    ],
  ],
  [
    `${sinks}routes:\n  - { to: [a, b] }\n  - { to: c, quietHours: { from: "01:00", to: "01:00", timeZone: Europe/Rome } }\n  - { to: a, quietHours: { from: 20:00, to: 08:00, timeZone: Europe/Nowhere } }`,
    [
      "3:15 routes.0.to.1 is not the name of a sink: use a",
      "4:7 routes.1.to is not the name of a sink: use a",
      "4:43 routes.1.quietHours.to equals from",
      "5:52 routes.2.quietHours.timeZone is not a time zone such as Europe/Berlin",
    ],
  ],
]

describe("Routes.parse", () => {
  it("reads YAML and JSON", () => {
    const routes = Result.getOrThrow(Routes.parse(document))
    expect(routes.sinks).toMatchObject({ pager: { routingKey: { env: "PAGERDUTY_KEY" }, minimumLevel: "error" } })
    expect(routes.routes[1]).toEqual({
      minimumLevel: "Warning",
      quietHours: { from: "22:00", to: "07:00", timeZone: "Europe/Berlin", except: "Critical" },
      groupFor: "5 minutes",
      to: "alerts",
    })
    expect(Routes.parse(JSON.stringify(routes, null, "\t"))).toEqual(Result.succeed(routes))
  })

  it.each(invalid)("lists all mistakes of %j", (text, expected) => {
    expect(mistakes(text)).toEqual(expected)
  })

  it.each([
    ["a: [1", "1:6 is not YAML: bad indent"],
    ["sinks: {}\nsinks: {}", "2:1 is not YAML: duplicate key"],
    ["a: @secret", "1:4 is not YAML: bad scalar start"],
    ["a: |https://x/secret", "1:5 is not YAML: unexpected token"],
    [`a: "\\secret"`, "1:5 is not YAML: bad dq escape"],
    ["a: !secret! b", "1:4 is not YAML: tag resolve failed"],
    ["%YAML secret\n---\na: 1", "1:7 is not YAML: bad directive"],
    [`a: 1\n${"k".repeat(1_100)}: secret`, "2:1 is not YAML: key over 1024 chars"],
    ["a: 1\n---\nb: 2", "2:1 is not YAML: multiple docs"],
    ["a: *secret", "1:1 has an alias that is undefined, or that is repeated too often"],
    [
      `a: &a [1, 1]\n${["ab", "bc", "cd", "de"].map(([from, to]) => `${to}: &${to} [*${from}${`, *${from}`.repeat(9)}]`).join("\n")}`,
      "1:1 has an alias that is undefined, or that is repeated too often",
    ],
    ["[".repeat(20_000), "is not YAML: resource exhaustion"],
    ["- ".repeat(20_000), "is not YAML: resource exhaustion"],
    [" ".repeat(100_001), "1:1 is longer than 100000 characters"],
    [
      "sinks:\n  a:\n    type: slack\n    url:\n      https://hooks.example/secret:\nroutes: []",
      "5:7 sinks.a.url has an unknown key: use env or file",
    ],
    [`${sinks}routes: []\nhttps://hooks.example/secret:`, "3:1 has an unknown key: use sinks or routes"],
    ["sinks: { https://hooks.example/secret: 1 }\nroutes: [{ to: a }]", "1:10 sinks has a key that is not a name"],
    [
      "sinks: { a: { type: slack, url: { file: https://hooks.example/secret } } }\nroutes: []",
      "1:35 sinks.a.url.file is not the path of a file",
    ],
  ])("refuses the text %#, without quoting it", (text, expected) => {
    const found = mistakes(text)
    expect(found[0]).toContain(expected)
    expect(found.join()).not.toContain("secret")
  })

  it("fails with an error that lists all mistakes, without values of the document", () => {
    const error = Result.getOrThrow(
      Result.flip(Routes.parse(`${sinks}routes: [{ to: b }, { to: a, groupFor: 123456 }]`)),
    )
    expect(error).toMatchObject({ _tag: "RoutesError", isRetryable: false })
    expect(error.message).toBe(
      'Could not read the routes. Correct the document:\nline 2, column 12: routes.0.to is not the name of a sink: use a\nline 2, column 30: routes.1.groupFor is not a duration such as "5 minutes"',
    )
    expect(mistakes(invalid.map(([text]) => text).join("\n---\n")).join("\n")).not.toContain("secret@")
  })

  it("accepts the documents that its JSON Schema accepts", () => {
    const validate = new Ajv().compile(Routes.jsonSchema())
    const isValid = (text: string): boolean => validate(parseDocument(text).toJS())
    expect(isValid(document)).toBe(true)
    expect(invalid.map(([text]) => isValid(text))).toEqual(invalid.map((_, index) => index === invalid.length - 1))
  })
})
