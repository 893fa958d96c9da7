/** Microsoft Teams: Adaptive Cards, sent to a webhook of Workflows. */
import type * as Redacted from "effect/Redacted"
import * as SafeText from "@vigil/health-text/SafeText"
import * as httpSink from "./internal/httpSink.js"
import { facts, headline, webLink } from "./internal/message.js"
import { isOver, type Level, type Notification } from "./Notification.js"
import type { Json } from "./Sink.js"

/** Options of a Teams sink. @category models @since 0.1.0 */
export interface Options extends httpSink.HttpOptions {
  /** The URL of the workflow's webhook, which is a secret: HTTPS, or HTTP on this machine. */
  readonly url: Redacted.Redacted
}

/**
 * A message has at most 28 KB:
 * https://learn.microsoft.com/microsoftteams/platform/webhooks-and-connectors/how-to/connectors-using. Teams may store it as UTF-16.
 */
const maxSize = 28_000
const limits = { headline: 300, fact: 400, url: 2_000 }

const sizeOf = (json: string): number => Math.max(2 * json.length, new TextEncoder().encode(json).byteLength)

/** The size of a string in the JSON of a message, without its quotation marks. */
const textSize = (text: string): number => sizeOf(JSON.stringify(text).slice(1, -1))

/**
 * What is Markdown anywhere in a line, and `{{`, which begins a date function
 * (https://learn.microsoft.com/adaptive-cards/authoring-cards/text-features). An underscore within a word is text, and often part of a URL.
 */
const inline = /[\\`*[\]]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])|~(?=~)|(?<=~)~|\{(?=\{)|(?<=\{)\{|<(?=\S)|&(?=#?\w+;)/giu

/** What is Markdown at the start of a line: headings, quotes, lists and rules. */
const start = /^([#>+=-]|\d+(?=[.)]))/

const escapeLine = (line: string): string =>
  line.replace(inline, "\\$&").replace(start, (marker) => (/^\d/.test(marker) ? `${marker}\\` : `\\${marker}`))

/** Each line becomes a paragraph. */
const escape = (text: string): string =>
  text
    .split("\n")
    .map((line) => escapeLine(line.trim()))
    .filter((line) => line !== "")
    .join("\n\n")

const colors: Readonly<Record<Level, string>> = {
  Critical: "Attention",
  Error: "Attention",
  Warning: "Warning",
  Informational: "Accent",
}

const build = (notification: Notification, text: string) => {
  const url = webLink(notification, limits.url)
  return {
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
              text: SafeText.fit(headline(notification), limits.headline, escape),
              size: "Large",
              weight: "Bolder",
              color: isOver(notification) ? "Good" : colors[notification.level],
              wrap: true,
            },
            {
              type: "FactSet",
              facts: facts(notification).map(({ name, value }) => ({
                title: name,
                value: SafeText.fit(value, limits.fact, escape),
              })),
            },
            ...(text === "" ? [] : [{ type: "TextBlock", text, wrap: true }]),
          ],
          ...(url === undefined ? {} : { actions: [{ type: "Action.OpenUrl", title: "Open", url }] }),
          msteams: { width: "Full" },
        },
      },
    ],
  }
}

/**
 * Formats a notification as a message with an Adaptive Card. Texts of the service are escaped.
 * @category conversions @since 0.1.0
 */
export const payload = (notification: Notification): Json => {
  const room = maxSize - sizeOf(JSON.stringify(build(notification, " ")))
  return build(notification, SafeText.fit(notification.text, room, escape, textSize))
}

/** A workflow responds before it runs. */
const accepts = { ...httpSink.anyBody, statuses: [202] }

/**
 * Makes a sink that posts to a webhook of Workflows ("When a Teams webhook request is received"). Connectors of Microsoft 365, which are
 * retired, report errors with status 200, and are not supported. Fails with `InvalidSetting` if an option is invalid.
 * @category constructors @since 0.1.0
 */
export const make = (options: Options) => httpSink.makeWebhook("Teams", accepts, payload, options)
