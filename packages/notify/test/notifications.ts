/** Notifications and routes for tests. */
import { type Notification, Routes } from "@vigil/notify"
import * as Result from "effect/Result"

/** A notification of a critical service issue, with other fields if given. */
export const notification = (fields: Partial<Notification.Notification> = {}): Notification.Notification => {
  const { key = "ab12", state = "opened" } = fields
  return {
    id: `${key}-${state}`,
    key,
    state,
    level: "Critical",
    trackingId: key.toUpperCase(),
    type: "ServiceIssue",
    status: "Active",
    title: "Storage: 503 responses",
    services: ["Storage"],
    regions: ["West Europe", "East US"],
    subscription: "s1",
    startedAt: "2026-03-10T11:00:00.000Z",
    updatedAt: "2026-03-10T12:00:00.000Z",
    endedAt: null,
    link: null,
    text: "Requests fail.",
    ...fields,
  }
}

/** Routes of a document as JSON. */
export const routesOf = (document: unknown): Routes.Routes => Result.getOrThrow(Routes.parse(JSON.stringify(document)))

/** A notification with an ID, and a text that is its ID. */
export const note = (
  id: string,
  state: Notification.State,
  fields: Partial<Notification.Notification> = {},
): Notification.Notification => notification({ id, state, text: id, ...fields })

/** The states and texts of notifications. */
export const texts = (received: ReadonlyArray<Notification.Notification>) =>
  received.map(({ state, text }) => [state, text])

/** A notification as a service would send it. */
export const sample = notification({
  id: "ab12-cd3-opened-0123456789abcdef",
  key: "ab12-cd3",
  services: ["Storage", "Key Vault"],
  regions: ["West Europe"],
  subscription: "a0000001",
  startedAt: "2026-03-10T11:00:00.120Z",
  updatedAt: "2026-03-10T12:30:00.000Z",
  link: "https://portal.example/AB12-CD3",
  text: "Requests fail.\n\n- Retry.",
})

/** Markup of each target, and characters that formatters or parsers often treat wrongly. */
export const fragments = [
  "<!channel> <!here|x> @here @channel <@U123> <https://evil.example|safe> *b* _i_ ~s~ `c` ``` &amp; &lt;b&gt;".split(
    " ",
  ),
  "&#42; <b>b</b> <at>all</at> [x](https://evil.example) ![x](https://evil.example) <https://evil.example>".split(" "),
  ["**b**", "__b__", "~~s~~", "# h\n", "\n# h", "\n- l", "\n+ l", "\n1. l", "\n1) l", "\n> q", "\n---\n"],
  ["\n===\n", "\n    code", "\n| a | b |\n| - | - |\n", "{{DATE(2026-01-01T00:00:00Z, SHORT)}}", "${x}"],
  ["{{ .Labels }}", "\\", "\\*", '"', "\u0000", "\u001b[31m", "\r\n", "\r", "\t", "\u2028", "\u202e", "\u2066"],
  ["\ud83d", "\udc00", "👨‍👩‍👧‍👦", "🇩🇪", "e\u0301\u0301", "漢字", "x".repeat(400), " "],
].flat()
