import { expect, it, vi } from "vitest"

it("quick-start prints the good event and names the other", async () => {
  const log = vi.spyOn(console, "log").mockImplementation(() => undefined)
  await import("../examples/quick-start.js")
  expect(log.mock.calls[0]?.[0]).toBe("BC1-FXZ")
  expect(log).toHaveBeenLastCalledWith(
    expect.stringMatching(/^entry 1: properties\.priority expected .* got another number$/),
  )
})
