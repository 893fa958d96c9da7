/** The documents agree with the facts, and a sentence that contradicts one is found. */
import { expect, it } from "vitest"
import { documents } from "../documents.mjs"
import { contradictions } from "../facts.mjs"

it("finds nothing in the documents", () => {
  expect(contradictions(documents)).toEqual([])
})

/** A text of a document, what it said, and a part of the problem. */
const wrong = [
  [
    "README.md",
    /Vigil has \[every operation\].*/,
    "For the other operations of Azure Resource Health, such as metadata, add the official client.",
    "all operations",
  ],
  ["README.md", "Vigil reads outages", "A second client covers an app management API. Vigil reads outages", "has 3"],
  ["docs/recipes/effect-app.md", "and install the clients", "and install both clients", "has 3"],
  ["docs/concepts/errors.md", "several clients in one program", "two clients in one program", "has 3"],
  ["docs/concepts/errors.md", "every error of the clients", "every error of both clients", "has 3"],
  ["docs/architecture.md", "All clients have the same names", "Both clients have the same names", "has 3"],
  ["docs/troubleshooting.md", "All clients: the other", "Both clients: the other", "has 3"],
  ["docs/troubleshooting.md", "`InvalidStatus`", "`InvalidEntry`", "`InvalidStatus` is missing"],
  ["docs/concepts/errors.md", "`InvalidStatus`, ", "", "`InvalidStatus` is missing"],
  ["apps/cli/README.md", "serves eight tools", "serves tools", "has 8"],
  ["docs/recipes/agents.md", "serves eight tools", "serves five tools", "has 8"],
  ["packages/sandbox/README.md", "all 26 operations", "all 25 operations", "has 26"],
  ["README.md", /\d\.\d times undici/, "over 4 times undici", "the benchmarks say"],
  ["README.md", /\d\.\d to \d\.\d times undici/, "1.5 to 2 times undici", "the benchmarks say"],
  ["README.md", /below \d+ KB/, "below 20 KB", "KB"],
  ["docs/benchmarks/README.md", /of our \d+ KB/, "of our 18 KB", ".size-limit.json"],
  [
    "docs/getting-started.md",
    /or newer\. The clients also run on .*\./,
    "or newer and for browsers. The command needs the same Node.js.",
    "browser.md",
  ],
  [
    "docs/recipes/browser.md",
    "the bundle with esbuild.",
    "the bundle with esbuild. `pnpm check size` limits the size.",
    "scripts",
  ],
  ["README.md", ", and run on Node.js 22.19 or newer. Pack them", ". Pack them", "does not say Node.js 22.19"],
  [
    "README.md",
    /\| health-fleet +\|.*\n/,
    "`health-fleet`: the same and\nhealth-client, notify, paging.\n",
    "health-fleet also needs core-http",
  ],
  ["README.md", /\| \[`@vigil\/oauth`\].*\n/, "", "@vigil/oauth is in no row"],
  [
    "docs/recipes/operations.md",
    "The server stays ready while polls fail",
    "The server is ready while at least one list is recent. A list is not recent if its last",
    "whatever its age",
  ],
  ["docs/concepts/versions.md", /`\S+` by default/, "`2025-04-01` by default", "the default API version is"],
  ["docs/recipes/operations.md", "more than three polls ago", "more than two polls ago", "Readiness.ts has 3"],
  ["README.md", "Your resource `web-1`", "Your server `web-1`", "several types"],
  [
    "apps/cli/README.md",
    "Slack, Teams, PagerDuty, Alertmanager or a webhook",
    "Slack, Teams, PagerDuty or a webhook",
    "alertmanager",
  ],
]

it.each(wrong)("finds in %s that %s became %j", (file, from, to, problem) => {
  const changed = documents.map((one) => (one.file === file ? { ...one, text: one.text.replace(from, to) } : one))
  expect(changed.find((one) => one.file === file).text).not.toBe(documents.find((one) => one.file === file).text)
  expect(contradictions(changed).join("\n")).toContain(problem)
})
