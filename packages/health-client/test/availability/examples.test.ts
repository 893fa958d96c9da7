import { expect, it } from "@effect/vitest"
import { Sandbox, World } from "@vigil/sandbox"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { vi } from "vitest"

const action = { action: "Restart it", actionUrl: "https://portal.example", actionUrlText: "Restart" }
const broken = {
  availabilityState: "Unavailable",
  reasonType: "Unplanned",
  summary: "The host failed.",
  occuredTime: "2026-01-01T00:00:00Z",
  recommendedActions: [action],
}

it.live.each<readonly [name: string, expected: ReadonlyArray<unknown>]>([
  ["quick-start", expect.arrayContaining([expect.stringMatching(/^\S+ Unavailable Unplanned$/)])],
  [
    "resource",
    expect.arrayContaining([
      "Unavailable The host failed.",
      "Action: Restart it",
      "Since 2026-01-01T00:00:00Z Unavailable",
    ]),
  ],
  ["changes", [expect.stringMatching(/^Changed \/subscriptions\//)]],
  ["unit-test", ["web-1 is Unavailable: Unplanned", "/subscriptions/s1/x is not known"]],
])("%s prints %j", ([name, expected]) =>
  Effect.gen(function* () {
    const { accessToken, baseUrl, change, refuse, world } = yield* Sandbox.make({ pageSize: 1_000 })
    const [{ id }] = world.subscriptions
    const uri = world.resources.find(({ subscription }) => subscription === id)?.uri ?? ""
    const breakIt = change(World.putStatus(uri, broken))
    // The first poll is one request.
    let polls = 0
    if (name === "changes") yield* refuse(() => (polls++ === 1 ? Effect.as(breakIt, undefined) : undefined))
    else yield* breakIt
    vi.stubEnv("HEALTH_BASE_URL", baseUrl)
    vi.stubEnv("HEALTH_ACCESS_TOKEN", Redacted.value(accessToken))
    vi.stubEnv("HEALTH_SUBSCRIPTION", id)
    vi.stubEnv("RESOURCE_ID", uri)
    const printed: Array<string> = []
    vi.spyOn(console, "log").mockImplementation((...values) => void printed.push(values.join(" ")))
    yield* Effect.promise(() => import(`../../examples/availability-${name}.ts`))
    expect(printed).toEqual(expected)
  }),
)
