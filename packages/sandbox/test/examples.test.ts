import { expect, it, vi } from "vitest"

it("quick-start prints a page of a running sandbox", async () => {
  const log = vi.spyOn(console, "log").mockImplementation(() => undefined)
  await import("../examples/quick-start.js")
  expect(log).toHaveBeenCalledWith(200, expect.objectContaining({ nextLink: expect.stringContaining("$skipToken") }))
})

it("faults shows a client that tries again, and what the server saw of it", async () => {
  const log = vi.spyOn(console, "log").mockImplementation(() => undefined)
  await import("../examples/faults.js")
  expect(log).toHaveBeenCalledWith([{ name: "A" }], "after", 3, "requests")
})

it("faults-by-name shows a client that leaks its token", async () => {
  const log = vi.spyOn(console, "log").mockImplementation(() => undefined)
  await import("../examples/faults-by-name.js")
  expect(log).toHaveBeenCalledWith("The link leads to another port of the same host.", "The token leaked:", true)
})
