/** Slack: messages of Block Kit, sent to an incoming webhook. */
import type * as Redacted from "effect/Redacted"
import * as SafeText from "@vigil/health-text/SafeText"
import * as httpSink from "./internal/httpSink.js"
import { facts, headline, webLink } from "./internal/message.js"
import type { Notification } from "./Notification.js"
import type { Json } from "./Sink.js"

/** Options of a Slack sink. @category models @since 0.1.0 */
export interface Options extends httpSink.HttpOptions {
  /** The URL of the incoming webhook, which is a secret: HTTPS, or HTTP on this machine. */
  readonly url: Redacted.Redacted
}

/**
 * https://docs.slack.dev/reference/block-kit/blocks (header, section and actions block),
 * https://docs.slack.dev/reference/block-kit/block-elements/button-element and
 * https://docs.slack.dev/messaging/formatting-message-text. A field may have 2,000 characters, but Slack refuses blocks that have more than about
 * 12,000 together: https://github.com/slackapi/bolt-js/issues/2509.
 */
const limits = { header: 150, section: 3_000, field: 600, url: 3_000, fallback: 4_000 }

const entities: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" }

const escape = (text: string): string => text.replace(/[&<>]/g, (character) => entities[character] ?? "")

/** Slack links these names even in a text without `<` and `>`. */
const escapeMentions = (text: string): string => escape(text).replace(/@(?=here|channel|everyone)/gi, "@\u2060")

/** Not `mrkdwn`, in which `*`, `_`, `~` and the backtick cannot be escaped. */
const plain = (text: string, limit: number) => ({
  type: "plain_text",
  text: SafeText.fit(text, limit, escape),
  emoji: false,
})

/**
 * Formats a notification as a message of Block Kit. Texts of the service are plain text.
 * @category conversions @since 0.1.0
 */
export const payload = (notification: Notification): Json => {
  const link = webLink(notification, limits.url)
  const text = plain(notification.text, limits.section)
  const open = { type: "button", text: plain("Open", 75), url: link, action_id: "open" }
  return {
    text: SafeText.fit(headline(notification), limits.fallback, escapeMentions),
    mrkdwn: false,
    blocks: [
      { type: "header", text: plain(headline(notification), limits.header) },
      ...(text.text === "" ? [] : [{ type: "section", text }]),
      {
        type: "section",
        fields: facts(notification).map(({ name, value }) => plain(`${name}: ${value}`, limits.field)),
      },
      ...(link === undefined ? [] : [{ type: "actions", elements: [open] }]),
    ],
  }
}

const accepts = { expected: "the text ok", matches: (body: string) => body.trim() === "ok" }

/**
 * Makes a sink that posts to an incoming webhook of Slack. Fails with `InvalidSetting` if an option is invalid.
 * @category constructors @since 0.1.0
 */
export const make = (options: Options) => httpSink.makeWebhook("Slack", accepts, payload, options)
