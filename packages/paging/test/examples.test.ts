import { expect, it, vi } from "vitest"

const printed = async (run: () => Promise<unknown>) => {
  const log = vi
    .spyOn(console, "log")
    .mockClear()
    .mockImplementation(() => undefined)
  await run()
  return log.mock.calls.map((line) => line.join(" ")).join("; ")
}

it("the examples print every item once", async () => {
  expect(await printed(() => import("../examples/quick-start.js"))).toBe(
    "Mercury; Venus; Earth; Mars; Jupiter; Saturn; Uranus; Neptune",
  )
  expect(await printed(() => import("../examples/link.js"))).toBe(
    "/moons Io,Europa; /moons?after=Europa ; /moons?after=Europa&more Ganymede,Callisto",
  )
  expect(await printed(() => import("../examples/resume.js"))).toBe(
    'a b; c d; the service is down {"next":4,"pages":2,"items":4}; e f; g; complete {"next":null,"pages":4,"items":7}',
  )
})
