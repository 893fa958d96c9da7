/** Notifications for tests. */
import type { Notification } from "@vigil/notify"

export const sample: Notification.Notification = {
  id: "ab12-cd3-opened-0123456789abcdef",
  key: "ab12-cd3",
  state: "opened",
  level: "Critical",
  trackingId: "AB12-CD3",
  type: "ServiceIssue",
  status: "Active",
  title: "Storage: 503 responses",
  services: ["Storage", "Key Vault"],
  regions: ["West Europe"],
  subscription: "a0000001",
  startedAt: "2026-03-10T11:00:00.120Z",
  updatedAt: "2026-03-10T12:30:00.000Z",
  endedAt: null,
  link: "https://portal.example/AB12-CD3",
  text: "Requests fail.\n\n- Retry.",
}

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
