import { beforeEach, expect, it, vi } from "vitest"

const log = vi.spyOn(console, "log").mockImplementation(() => undefined)

beforeEach(() => {
  log.mockClear()
})

it("quick-start prints a page of a running sandbox", async () => {
  await import("../examples/quick-start.js")
  expect(log).toHaveBeenCalledWith(200, expect.objectContaining({ nextLink: expect.stringContaining("$skipToken") }))
})

it("changes shows an added event, an error response, and the recorded requests", async () => {
  await import("../examples/changes.js")
  expect(log.mock.calls).toEqual([
    ["Before:", 0],
    ["With the drill:", 1],
    ["Four days later:", 0],
    ["Refused:", 503],
    ["Requests:", 4, "In flight:", 1],
  ])
})

it("app-management shows the rights of two kinds of token, and deletes one", async () => {
  await import("../examples/app-management.js")
  expect(log.mock.calls).toEqual([
    ["Read-only:", 403],
    ["Full access:", 204],
    ["Again:", 404],
    ["Deleted token:", 401],
  ])
})

it("faults shows a client that retries, and its requests", async () => {
  await import("../examples/faults.js")
  expect(log).toHaveBeenCalledWith([{ name: "A" }], "after", 3, "requests")
})

it("faults-by-name shows a client that leaks its token", async () => {
  await import("../examples/faults-by-name.js")
  expect(log).toHaveBeenCalledWith("Links to another port of the same host.", "The token leaked:", true)
})
