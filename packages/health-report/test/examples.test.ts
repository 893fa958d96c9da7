import { expect, it, vi } from "vitest"

vi.mock("node:fs", async (load) => ({ ...(await load<object>()), writeFileSync: vi.fn() }))

it("quick-start writes a report, and prints a timeline, the availability and the verdict", async () => {
  const { writeFileSync } = await import("node:fs")
  const log = vi.spyOn(console, "log").mockImplementation(() => undefined)
  await import("../examples/quick-start.js")
  expect(writeFileSync).toHaveBeenCalledWith("report.html", expect.stringContaining("1 service issue is active"))
  expect(log.mock.calls.slice(-2)).toEqual([["DNS", "East US", 180, "87.500%"], ["1 service issue is active."]])
  expect(log.mock.calls.flat().join("\n")).toMatch(/^DNS +C█+$/m)
})
