import { expect, it, vi } from "vitest"

it("quick-start prints the labels and texts of an event", async () => {
  const log = vi.spyOn(console, "log").mockImplementation(() => undefined)
  await import("../examples/quick-start.js")
  expect(log.mock.calls).toEqual([
    ["\u001b[1;35mCritical\u001b[0m", "Service issue", "East US"],
    ["DNS lookups fail"],
    ["  Lookups fail in East US."],
    [""],
    ["  - Retry lookups that failed."],
    ["  - Use another region."],
    ["DNS lookups…"],
    ["Unknown region. Did you mean East US?"],
  ])
})
