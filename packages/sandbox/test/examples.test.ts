import { expect, it, vi } from "vitest"

it("quick-start prints a page of a running sandbox", async () => {
  const log = vi.spyOn(console, "log").mockImplementation(() => undefined)
  await import("../examples/quick-start.js")
  expect(log).toHaveBeenCalledWith(200, expect.objectContaining({ nextLink: expect.stringContaining("$skipToken") }))
})

it("changes shows an event that comes and goes, a refusal, and what the server saw", async () => {
  const log = vi.spyOn(console, "log").mockImplementation(() => undefined)
  log.mockClear()
  await import("../examples/changes.js")
  expect(log.mock.calls).toEqual([
    ["Before:", 0],
    ["With the drill:", 1],
    ["Four days later:", 0],
    ["Refused:", 503],
    ["Requests:", 4, "At once:", 1],
  ])
})

it("app-management shows what tokens of two kinds may do, and the end of one", async () => {
  const log = vi.spyOn(console, "log").mockImplementation(() => undefined)
  log.mockClear()
  await import("../examples/app-management.js")
  expect(log.mock.calls).toEqual([
    ["Read-only:", 403],
    ["In full:", 204],
    ["Once more:", 404],
    ["Without the token:", 401],
  ])
})

it("faults shows a client that tries again, and what the server saw of it", async () => {
  const log = vi.spyOn(console, "log").mockImplementation(() => undefined)
  await import("../examples/faults.js")
  expect(log).toHaveBeenCalledWith([{ name: "A" }], "after", 3, "requests")
})

it("faults-by-name shows a client that leaks its token", async () => {
  const log = vi.spyOn(console, "log").mockImplementation(() => undefined)
  await import("../examples/faults-by-name.js")
  expect(log).toHaveBeenCalledWith("Links to another port of the same host.", "The token leaked:", true)
})
