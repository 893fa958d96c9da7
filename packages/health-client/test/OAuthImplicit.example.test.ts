import { expect, it } from "@effect/vitest"
import { vi } from "vitest"

it("sign-in prints where to sign in, and until when that is good", async () => {
  const log = vi
    .spyOn(console, "log")
    .mockClear()
    .mockImplementation(() => undefined)
  await import("../examples/sign-in.js")
  expect(log.mock.calls).toEqual([
    [expect.stringMatching(/^Sign in at https:\/\/sign-in\.example\/common\/oauth2\/authorize\?response_type=token&/)],
    [expect.stringMatching(/^Signed in until \d{4}-\d\d-\d\dT/)],
  ])
})
