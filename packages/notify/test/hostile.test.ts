/** Texts that contain markup or invalid characters, or that are too long. */
import { createRequire } from "node:module"
import { describe, expect, it } from "@effect/vitest"
import { Alertmanager, Notification, PagerDuty, Slack, Teams, Webhook } from "@vigil/notify"
import { Ajv } from "ajv"
import * as DateTime from "effect/DateTime"
import * as FastCheck from "fast-check"
import * as Schema from "effect/Schema"
import MarkdownIt from "markdown-it"
import { fragments, sample } from "./notifications.js"

interface Events {
  readonly eventCount: number
}

const require = createRequire(import.meta.url)

/** The parser of Microsoft. Node can load only its bundle, which has no types. */
const cards: {
  readonly AdaptiveCard: new () => { parse: (json: unknown, events: Events) => void }
  readonly SerializationContext: new () => Events
} = require("adaptivecards/dist/adaptivecards.js")

const markdown = new MarkdownIt({ html: true })

/** From https://github.com/prometheus/alertmanager/blob/main/api/v2/openapi.yaml, `postableAlert`. */
const labelSet = { type: "object", additionalProperties: { type: "string" } }
const time = { type: "string", pattern: String.raw`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$` }
const isAlert = new Ajv().compile({
  type: "object",
  additionalProperties: false,
  required: ["labels"],
  properties: {
    labels: { ...labelSet, propertyNames: { pattern: "^[a-zA-Z_][a-zA-Z0-9_]*$" } },
    annotations: labelSet,
    startsAt: time,
    endsAt: time,
    generatorURL: { type: "string" },
  },
})

const strings = (json: unknown): ReadonlyArray<string> => {
  if (typeof json === "string") return [json]
  return typeof json === "object" && json !== null ? Object.values(json).flatMap(strings) : []
}

/** The texts with this property in a payload, at any depth. */
const valuesOf = (json: unknown, name: string): ReadonlyArray<string> => {
  if (typeof json !== "object" || json === null) return []
  return Object.entries(json).flatMap(([key, value]) =>
    key === name && typeof value === "string" ? [value] : valuesOf(value, name),
  )
}

/** Fails with the texts that match. One `expect` for many texts, because each takes time. */
const expectNone = (texts: ReadonlyArray<string>, pattern: RegExp) =>
  expect(texts.filter((text) => pattern.test(text))).toEqual([])

const now = DateTime.makeUnsafe("2026-03-10T14:00:00Z")

/** The text without the parts that formatters may change: white space, invalid characters and the ellipsis. */
const visible = (text: string) =>
  text.replace(/\p{Cs}/gu, "\ufffd").replace(/[\s\p{Cc}\u2060\u202a-\u202e\u2066-\u2069…]/gu, "")

const decodeEntities = (text: string) =>
  text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&quot;", '"').replaceAll("&amp;", "&")

/** Every text that a target shows is a text of the notification, or its beginning. */
const check = (notification: Notification.Notification) => {
  const texts = [notification.title, notification.text].map(visible)
  const expectTexts = (shown: ReadonlyArray<string>) => {
    for (const [index, text] of texts.entries()) expect(text).toContain(visible(shown[index] ?? ""))
  }

  const slack = Slack.payload(notification)
  expectNone(strings(slack), /[<>]|&(?!(?:amp|lt|gt);)/)
  expect(valuesOf(slack, "text")[0]).not.toMatch(/@(?:here|channel|everyone)/i)
  expect(valuesOf(slack, "text").slice(1).join("").length).toBeLessThan(10_000)
  const [fallback = "", header = ""] = valuesOf(slack, "text").map(decodeEntities)
  expectTexts([header.replace(/^\w+(?:: |$)/, "")])
  expect(visible(fallback)).toContain(visible(header))
  expect(new Set(valuesOf(slack, "type"))).not.toContain("mrkdwn")

  const teams = Teams.payload(notification)
  const json = JSON.stringify(teams)
  expect(Math.max(Buffer.byteLength(json), 2 * json.length)).toBeLessThanOrEqual(28_000)
  expect(json).not.toContain("{{")
  const [title = "", text = ""] = valuesOf(teams, "text")
  const values = valuesOf(teams, "value")
  const render = (source: string) => markdown.render(source).replace(/<\/?p>/g, "")
  expectNone([title, text, ...values].map(render), /<|&(?!(?:amp|lt|gt|quot);)/)
  const shown = (source: string) => decodeEntities(render(source)).trim()
  expectTexts([shown(title).replace(/^\w+(?:: |$)/, ""), shown(text)])

  const pagerDuty = PagerDuty.payload(notification)
  expect(valuesOf(pagerDuty, "summary")[0]?.length ?? 0).toBeLessThanOrEqual(1_024)
  expect(valuesOf(pagerDuty, "dedup_key")[0]?.length).toBeLessThanOrEqual(255)
  expect(JSON.stringify(pagerDuty).length).toBeLessThan(512_000)

  const alert = Alertmanager.payload(notification, { now })
  expect(isAlert(JSON.parse(JSON.stringify(alert)))).toBe(true)
  expect(Object.values(alert.labels)).not.toContain("")

  const webhook = Webhook.payload(notification)
  expect(webhook).toMatchObject({ data: expect.toSatisfy(Schema.is(Notification.Notification)) })

  expectNone(strings([slack, teams, pagerDuty, alert, webhook]), /\p{Cs}/u)
  expectNone(strings([slack, teams, alert]), /[^\P{Cc}\n]|[\u202a-\u202e\u2066-\u2069]/u)
  return teams
}

const expectCard = (teams: unknown) => {
  const events = new cards.SerializationContext()
  const card = JSON.parse(JSON.stringify(teams)).attachments[0].content
  new cards.AdaptiveCard().parse(card, events)
  expect(events.eventCount).toBe(0)
}

const short = FastCheck.array(FastCheck.oneof(FastCheck.constantFrom(...fragments), FastCheck.string()), {
  maxLength: 10,
}).map((parts) => parts.join(""))

const long = FastCheck.tuple(short, FastCheck.nat(2_000)).map(([part, times]) => part.repeat(times).slice(0, 6_000))

const arbitraryText = FastCheck.oneof({ weight: 3, arbitrary: short }, long)

describe("texts of a service", () => {
  it("stay text in every format, and keep its limits", () => {
    FastCheck.assert(
      FastCheck.property(
        FastCheck.record({
          state: FastCheck.constantFrom(...Notification.State.literals),
          key: arbitraryText,
          trackingId: short,
          type: short,
          status: short,
          title: arbitraryText,
          subscriptionName: short,
          services: FastCheck.array(short, { maxLength: 3 }),
          regions: FastCheck.array(short, { maxLength: 3 }),
          text: arbitraryText,
          link: FastCheck.option(short),
        }),
        (texts) => {
          check({ ...sample, ...texts })
        },
      ),
    )
  })

  it.each(["<!channel>", "\\*", "&amp;", "\n- l", "{{DATE(x)}}", "\u0000", "👨‍👩‍👧‍👦"].map((fragment) => [fragment]))(
    "may be a megabyte of %j",
    (fragment) => {
      const text = fragment.repeat(Math.ceil(1_000_000 / fragment.length))
      const notification = { ...sample, key: text, title: text, text, services: [text], regions: [text], type: text }
      expectCard(check(notification))
    },
  )

  it("are cut at the limits of Slack, and not within a character or an entity", () => {
    const family = "👨‍👩‍👧‍👦"
    const lengths = (text: string) => {
      const [, header = "", section = ""] = valuesOf(Slack.payload({ ...sample, title: text, text }), "text")
      return [header, section]
    }
    expect(lengths("x".repeat(145))).toEqual([`New: ${"x".repeat(145)}`, "x".repeat(145)])
    expect(lengths("x".repeat(146))[0]).toBe(`New: ${"x".repeat(144)}…`)
    expect(lengths("x".repeat(3_000))[1]).toBe("x".repeat(3_000))
    expect(lengths("x".repeat(3_001))[1]).toBe(`${"x".repeat(2_999)}…`)
    expect(lengths("&".repeat(601))[1]).toBe(`${"&amp;".repeat(599)}…`)
    expect(lengths(`${"x".repeat(2_995)}${family}`)[1]).toBe(`${"x".repeat(2_995)}…`)
  })

  it("are cut at the limits of PagerDuty, and different keys stay different", () => {
    const event = (key: string) => PagerDuty.payload({ ...sample, key, title: "x".repeat(2_000) })
    expect(event("x".repeat(255))).toMatchObject({
      dedup_key: "x".repeat(255),
      payload: { summary: `New: ${"x".repeat(1_018)}…` },
    })
    const [one, other] = ["a", "b"].map((end) => String(event("x".repeat(255) + end)["dedup_key"]))
    expect(one).toMatch(/^x{237}…-[\da-f]+$/)
    expect(other).not.toBe(one)
  })
})
