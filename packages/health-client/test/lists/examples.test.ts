import { expect, it, vi } from "vitest"

it("the example quick-start prints the entries of both pages, and the invalid one", async () => {
  const printed: Array<string> = []
  for (const name of ["log", "warn"] as const)
    vi.spyOn(console, name).mockImplementation((...values) => void printed.push(values.join(" ")))
  await import("../../examples/lists-quick-start.js")
  expect(printed).toEqual(["eventType 0", "entry 1 of page 1 must be an object, not a number", "region 2"])
})
