import { expect, it, vi } from "vitest"

it("quick-start prints a page of a running sandbox", async () => {
  const log = vi.spyOn(console, "log").mockImplementation(() => undefined)
  await import("../examples/quick-start.js")
  expect(log).toHaveBeenCalledWith(200, expect.objectContaining({ nextLink: expect.stringContaining("$skipToken") }))
})
