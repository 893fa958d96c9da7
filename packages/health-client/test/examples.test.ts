import { mkdtempSync, readdirSync, readFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, it } from "@effect/vitest"
import { Sandbox } from "@vigil/sandbox"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { vi } from "vitest"

it.live.each<readonly [name: string, lines: number, pattern: RegExp]>([
  ["quick-start", 50, /^\S/],
  ["levels", 2, /^(Critical|Error|Warning|Informational|undefined|null) [\w-]+/],
  ["invalid-events", 1, /^\d{3} events$/],
  ["queries", 4, /^[A-Z\d]+-[A-Z\d]+/],
  ["top-five", 5, /^\d+ /],
  ["narrow", 1, /^[A-Z\d]+-[A-Z\d]+/],
  ["resume", 4, /^page [1-4]: 50 events, (50|100|150|200) so far$/],
  ["sweep", 3, /SubscriptionNotFound|^\d+ events (in all$|of a0000001)/],
  ["watch", 10, /^Appeared [A-Z\d]+-[A-Z\d]+ \S/],
  ["two-clients", 1, /^\d+ \d+$/],
  ["unit-test", 3, /^(Storage is slow|DNS was down|No access\.)$/],
  ["impacted-resources", 1, /^\S+ \S/],
])("%s prints at least %i lines like %s", ([name, lines, pattern]) =>
  Effect.gen(function* () {
    const { accessToken, baseUrl, world } = yield* Sandbox.make()
    const [{ id }] = world.subscriptions
    const impacted = world.events.find(
      ({ event, resources, subscriptions }) =>
        subscriptions.includes(id) && resources.length > 0 && event.properties?.eventType !== "SecurityAdvisory",
    )
    vi.stubEnv("HEALTH_BASE_URL", baseUrl)
    vi.stubEnv("HEALTH_ACCESS_TOKEN", Redacted.value(accessToken))
    vi.stubEnv("HEALTH_SUBSCRIPTION", id)
    vi.stubEnv("TRACKING_ID", impacted?.event.name ?? "")
    const before = process.cwd()
    yield* Effect.addFinalizer(() => Effect.sync(() => process.chdir(before)))
    process.chdir(mkdtempSync(join(tmpdir(), "example-")))
    const printed: Array<string> = []
    for (const name of ["log", "warn"] as const)
      vi.spyOn(console, name).mockImplementation((...values) => void printed.push(values.join(" ")))
    const ended = import(`../examples/${name}.ts`)
    // The watch does not end.
    const hasStored = () => {
      const texts = readdirSync("watches").map((name) => readFileSync(join("watches", name), "utf8"))
      expect(texts).toEqual([1, 2].map(() => expect.stringMatching(/"isNew":false.*"pending":\[\]/s)))
    }
    yield* Effect.promise(() => (name === "watch" ? vi.waitFor(hasStored, 60_000) : ended))
    expect(printed.length).toBeGreaterThanOrEqual(lines)
    for (const line of printed) expect(line).toMatch(pattern)
  }),
)
