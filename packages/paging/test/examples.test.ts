import { expect, it, vi } from "vitest"

it.each([
  ["quick-start", "Mercury; Venus; Earth; Mars; Jupiter; Saturn; Uranus; Neptune"],
  ["link", "/moons Io,Europa; /moons?after=Europa ; /moons?after=Europa&more Ganymede,Callisto"],
  [
    "resume",
    'a b; c d; the service is down {"next":4,"pages":2,"items":4}; e f; g; complete {"next":null,"pages":4,"items":7}',
  ],
])("%s prints %s", async (name, expected) => {
  const log = vi.spyOn(console, "log").mockClear()
  log.mockImplementation(() => undefined)
  await import(`../examples/${name}.ts`)
  expect(log.mock.calls.map((line) => line.join(" ")).join("; ")).toBe(expected)
})
