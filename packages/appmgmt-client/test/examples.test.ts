import { expect, it } from "@effect/vitest"
import { Faults, Reply } from "@vigil/sandbox"
import * as Effect from "effect/Effect"
import { vi } from "vitest"

const shop = (description: string | null) => Reply.json({ name: "shop", description })

it.live.each<readonly [name: string, printed: ReadonlyArray<unknown>, replies: ReadonlyArray<Reply.Reply>]>([
  ["quick-start", ["The token belongs to Ada <a@b>"], [Reply.json({ display_name: "Ada", email: "a@b" })]],
  ["remove-user", ["Removed."], [Reply.empty(204)]],
  ["request", [null, "The shop"], [shop(null), shop("The shop")]],
  ["unit-test", ["Removed", "UserNotFound"], []],
])("the example %s prints %j", ([name, printed, replies]) =>
  Effect.gen(function* () {
    const server = yield* Faults.serve(replies)
    vi.stubEnv("APPMGMT_BASE_URL", server.origin)
    vi.stubEnv("APPMGMT_API_TOKEN", "token")
    const log = vi
      .spyOn(console, "log")
      .mockReset()
      .mockImplementation(() => undefined)
    yield* Effect.promise(() => import(`../examples/${name}.ts`))
    expect(log.mock.calls).toEqual([printed])
    expect(yield* server.requests).toHaveLength(replies.length)
  }),
)
