/**
 * What an event takes of the heap for as long as it is kept: as `JSON.parse` makes it, and as it comes out of the decoder. Each in a
 * process of its own. `node --expose-gc heap.mjs parse` prints the bytes of one event.
 */
import { execFileSync } from "node:child_process"
import { fileURLToPath } from "node:url"

const here = fileURLToPath(import.meta.url)

const measure = async (how) => {
  const { values, page } = await import("./pages.mjs")
  const { decode } = await import("@vigil/health-schema/EventsPage")
  const Either = await import("effect/Either")
  const texts = values({ distinct: 10 }).map((value) => page(value, ""))
  const check = decode("2025-05-01")
  const read = {
    parse: (text) => JSON.parse(text).value,
    decode: (text) => Either.getOrThrow(check(JSON.parse(text))).items,
  }[how]
  // Once before, so that what is compiled and made on the way is not counted.
  texts.forEach(read)
  globalThis.gc()
  const before = process.memoryUsage().heapUsed
  const kept = Array.from({ length: 5 }, () => texts.map(read)).flat()
  globalThis.gc()
  const events = kept.reduce((sum, { length }) => sum + length, 0)
  return (process.memoryUsage().heapUsed - before) / events
}

/** Bytes of one event, of both. */
export const heap = () =>
  Object.fromEntries(
    ["parse", "decode"].map((how) => [how, Number(execFileSync(process.execPath, ["--expose-gc", here, how]))]),
  )

if (process.argv[1] === here && process.argv.length > 2) process.stdout.write(String(await measure(process.argv[2])))
