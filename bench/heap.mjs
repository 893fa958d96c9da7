/** The heap size of an event after `JSON.parse` and after decoding, each in its own process. `node --expose-gc heap.mjs parse` prints bytes. */
import { execFileSync } from "node:child_process"
import { fileURLToPath } from "node:url"

const here = fileURLToPath(import.meta.url)

const measure = async (method) => {
  const { values, page } = await import("./pages.mjs")
  const { decode } = await import("@vigil/health-schema/EventsPage")
  const Result = await import("effect/Result")
  const texts = values({ distinct: 10 }).map((value) => page(value, ""))
  const check = decode("2025-05-01")
  const read = {
    parse: (text) => JSON.parse(text).value,
    decode: (text) => Result.getOrThrow(check(JSON.parse(text))).items,
  }[method]
  // A warm-up, so that compiled code is not counted.
  texts.forEach(read)
  globalThis.gc()
  const before = process.memoryUsage().heapUsed
  const retained = Array.from({ length: 5 }, () => texts.map(read)).flat()
  globalThis.gc()
  const events = retained.reduce((sum, { length }) => sum + length, 0)
  return (process.memoryUsage().heapUsed - before) / events
}

/** The heap size of one event in bytes, for each method. */
export const heap = () =>
  Object.fromEntries(
    ["parse", "decode"].map((method) => [
      method,
      Number(execFileSync(process.execPath, ["--expose-gc", here, method])),
    ]),
  )

if (process.argv[1] === here && process.argv.length > 2) process.stdout.write(String(await measure(process.argv[2])))
