import { expect, it, vi } from "vitest"

it("quick-start prints the valid event and the reason of the invalid one", async () => {
  const log = vi.spyOn(console, "log").mockImplementation(() => undefined)
  await import("../examples/quick-start.js")
  expect(log.mock.calls[0]?.[0]).toBe("BC1-FXZ")
  expect(log).toHaveBeenLastCalledWith(
    expect.stringMatching(/^entry 1: properties\.priority must be a whole number from 0 to 23$/),
  )
})

it("questions prints the results", async () => {
  const log = vi
    .spyOn(console, "log")
    .mockClear()
    .mockImplementation(() => undefined)
  await import("../examples/questions.js")
  expect(log.mock.calls.slice(0, 4)).toEqual([
    ["priority", 0],
    ["active at noon", true],
    ["on DNS in West Europe", true],
    ["texts withheld", []],
  ])
  expect(log.mock.calls[4]?.[1]).toEqual([{ path: "properties.status", before: "Active", after: "Resolved" }])
})
