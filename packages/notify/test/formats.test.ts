/** The payloads of the targets, as their documentation shows them. */
import { describe, expect, it } from "@effect/vitest"
import { Alertmanager, Notification, PagerDuty, Slack, Teams, Webhook } from "@vigil/notify"
import * as DateTime from "effect/DateTime"
import { sample } from "./notifications.js"

const facts = {
  Level: "Critical",
  Type: "ServiceIssue",
  Status: "Active",
  Services: "Storage, Key Vault",
  Regions: "West Europe",
  Started: "2026-03-10 11:00 UTC",
  Updated: "2026-03-10 12:30 UTC",
  "Tracking ID": "AB12-CD3",
  Subscription: "a0000001",
}

const plain = (text: string) => ({ type: "plain_text", text, emoji: false })

/** https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks and https://docs.slack.dev/reference/block-kit/blocks */
describe("a message for Slack", () => {
  it("has a fallback text, a header, the text, fields and a button", () => {
    expect(Slack.payload(sample)).toEqual({
      text: "New: Storage: 503 responses",
      mrkdwn: false,
      blocks: [
        { type: "header", text: plain("New: Storage: 503 responses") },
        { type: "section", text: plain("Requests fail.\n\n- Retry.") },
        {
          type: "section",
          fields: Object.entries(facts).map(([name, value]) => plain(`${name}: ${value}`)),
        },
        {
          type: "actions",
          elements: [
            { type: "button", text: plain("Open"), url: "https://portal.example/AB12-CD3", action_id: "open" },
          ],
        },
      ],
    })
  })

  it("has neither a button without a link nor a section without text", () => {
    expect(Slack.payload({ ...sample, state: "resolved", link: null, text: "" })).toMatchObject({
      text: "Resolved: Storage: 503 responses",
      blocks: [{ type: "header" }, { fields: expect.any(Array) }],
    })
  })

  it.each([
    ["opened", "Active: Storage: 503 responses", "New: Storage: 503 responses"],
    ["resolved", "Active - Storage", "Resolved: Storage"],
    ["updated", "Updates of hosts", "Update: Updates of hosts"],
    ["summary", "2 active events: 2 Error", "2 active events: 2 Error"],
  ] as const)("says once that the event is %s: %s", (state, title, text) => {
    expect(Slack.payload({ ...sample, state, title })).toMatchObject({ text })
  })

  it("escapes the markup of Slack", () => {
    const title = "<!channel> & @here *b*"
    expect(Slack.payload({ ...sample, title })).toMatchObject({
      text: "New: &lt;!channel&gt; &amp; @\u2060here *b*",
      blocks: [{ text: plain("New: &lt;!channel&gt; &amp; @here *b*") }, {}, {}, {}],
    })
  })
})

/**
 * https://learn.microsoft.com/microsoftteams/platform/webhooks-and-connectors/how-to/connectors-using and
 * https://adaptivecards.io/explorer
 */
describe("a message for Teams", () => {
  it("has an Adaptive Card with the title, facts, the text and a button", () => {
    expect(Teams.payload(sample)).toEqual({
      type: "message",
      attachments: [
        {
          contentType: "application/vnd.microsoft.card.adaptive",
          contentUrl: null,
          content: {
            $schema: "http://adaptivecards.io/schemas/adaptive-card.json",
            type: "AdaptiveCard",
            version: "1.4",
            body: [
              {
                type: "TextBlock",
                text: "New: Storage: 503 responses",
                size: "Large",
                weight: "Bolder",
                color: "Attention",
                wrap: true,
              },
              {
                type: "FactSet",
                facts: Object.entries(facts).map(([title, value]) => ({ title, value })),
              },
              { type: "TextBlock", text: "Requests fail.\n\n\\- Retry.", wrap: true },
            ],
            actions: [{ type: "Action.OpenUrl", title: "Open", url: "https://portal.example/AB12-CD3" }],
            msteams: { width: "Full" },
          },
        },
      ],
    })
  })

  it.each([
    ["a_b https://a.example/b_c", "a_b https://a.example/b_c"],
    ["_i_ **b** ~~s~~ ~1", "\\_i\\_ \\*\\*b\\*\\* \\~\\~s\\~\\~ ~1"],
    ["a & b &amp; 1 < 2 <b>", "a & b \\&amp; 1 < 2 \\<b>"],
    ["[x](y) {a} {{DATE(x)}}", "\\[x\\](y) {a} \\{\\{DATE(x)}}"],
    ["1. one\n2) two\n# h\n> q\n2026", "1\\. one\n\n2\\) two\n\n\\# h\n\n\\> q\n\n2026"],
  ])("escapes %j as %j", (text, value) => {
    const last = { type: "TextBlock", text: value, wrap: true }
    expect(Teams.payload({ ...sample, text })).toMatchObject({
      attachments: [{ content: { body: [{}, {}, last] } }],
    })
  })
})

/** https://developer.pagerduty.com/docs/send-alert-event */
describe("an event for PagerDuty", () => {
  it("triggers an alert", () => {
    expect(PagerDuty.payload(sample)).toEqual({
      event_action: "trigger",
      dedup_key: "ab12-cd3",
      payload: {
        summary: "New: Storage: 503 responses",
        source: "a0000001",
        severity: "critical",
        timestamp: "2026-03-10T12:30:00.000Z",
        component: "Storage, Key Vault",
        group: "West Europe",
        class: "ServiceIssue",
        custom_details: { ...facts, Text: "Requests fail.\n\n- Retry." },
      },
      links: [{ href: "https://portal.example/AB12-CD3", text: "Open" }],
    })
  })

  it("resolves the alert of an event that is over", () => {
    const actionOf = (state: Notification.State) => PagerDuty.payload({ ...sample, state })["event_action"]
    const actions = ["trigger", "trigger", "resolve", "trigger", "resolve", "trigger"]
    expect(Notification.State.literals.map(actionOf)).toEqual(actions)
    expect(PagerDuty.payload({ ...sample, state: "resolved" })).toMatchObject({ dedup_key: "ab12-cd3" })
  })

  it("has the severity of its level, and a source", () => {
    const alertOf = (level: Notification.Level) =>
      PagerDuty.payload({ ...sample, level, subscription: null })["payload"]
    expect((["Critical", "Error", "Warning", "Informational"] as const).map(alertOf)).toMatchObject(
      ["critical", "error", "warning", "info"].map((severity) => ({ severity, source: "service-health" })),
    )
  })
})

it("a message has the name of the subscription, with the ID unless the name contains it", () => {
  const subscriptionOf = (subscriptionName: string, subscription: string | null = "s1") =>
    PagerDuty.payload({ ...sample, subscription, subscriptionName })["payload"]
  expect(subscriptionOf("Production")).toMatchObject({ source: "Production (s1)" })
  expect(subscriptionOf("Twin (s1)")).toMatchObject({ custom_details: { Subscription: "Twin (s1)" } })
  expect(subscriptionOf("Production", null)).toMatchObject({ source: "Production" })
})

/** https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md, "Payload structure" */
it("a webhook has the type, the time and the notification", () => {
  expect(Webhook.payload(sample)).toEqual({
    type: "event.opened",
    timestamp: "2026-03-10T12:30:00.000Z",
    data: sample,
  })
})

describe("a link", () => {
  it.each([
    ["javascript:alert(1)"],
    ["https://user:pass@portal.example"],
    ["x"],
    [`https://a.example/${"x".repeat(3_000)}`],
  ])("that is unsafe or too long is omitted: %.40s", (link) => {
    const notification = { ...sample, link }
    expect(JSON.stringify(Slack.payload(notification))).not.toContain("button")
    expect(JSON.stringify(Teams.payload(notification))).not.toContain("OpenUrl")
    expect(PagerDuty.payload(notification)).not.toHaveProperty("links")
    const now = DateTime.makeUnsafe(0)
    expect(Alertmanager.payload(notification, { now }).generatorURL).toBeUndefined()
  })
})
