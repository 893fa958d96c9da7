import { afterEach, beforeEach, expect, it, vi } from "vitest"

const log = vi.spyOn(console, "log")
beforeEach(() => void log.mockImplementation(() => undefined))
afterEach(() => void log.mockClear())

it("quick-start prints the planets of all pages", async () => {
  await import("../examples/quick-start.js")
  expect(log.mock.calls.flat()).toEqual(["Mercury", "Venus", "Earth", "Mars", "Jupiter", "Saturn", "Uranus", "Neptune"])
})

it("link follows every link, also after an empty page", async () => {
  await import("../examples/link.js")
  expect(log.mock.calls).toEqual([
    ["/moons", ["Io", "Europa"]],
    ["/moons?after=Europa", []],
    ["/moons?after=Europa&more", ["Ganymede", "Callisto"]],
  ])
})

it("resume continues after an outage without losing or repeating an item", async () => {
  await import("../examples/resume.js")
  expect(log.mock.calls).toEqual([
    ["a b"],
    ["c d"],
    ["the service is down", '{"next":4,"pages":2,"items":4}'],
    ["e f"],
    ["g"],
    ["complete", '{"next":null,"pages":4,"items":7}'],
  ])
})
