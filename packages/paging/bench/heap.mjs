/**
 * Streams 1,000, 10,000 and 100,000 pages of 100 items with prefetch off and on, each in a process of its own, and prints
 * the highest heap in use, seen after a garbage collection at 20 points of each. Exits 1 if the largest is more than 20 %
 * above the smallest. Run by `pnpm bench`, after a build.
 */
import { execFileSync } from "node:child_process"
import { fileURLToPath } from "node:url"

const sizes = [1_000, 10_000, 100_000]
const depths = [0, 1]
const samples = 20
const mebibytes = (bytes) => (bytes / 2 ** 20).toFixed(2)

/** The highest heap in use while so many pages are streamed. */
const measure = async (length, prefetch) => {
  const Page = await import("@vigil/paging/Page")
  const Paging = await import("@vigil/paging/Paging")
  const Effect = await import("effect/Effect")
  const Stream = await import("effect/Stream")

  const page = (number) =>
    Array.from({ length: 100 }, (_, index) => ({ id: number * 100 + index, name: `item ${index}` }))
  const next = (number) =>
    Effect.sync(() => (number < length ? Page.withNext(page(number), number + 1) : Page.last(page(number))))

  let peak = 0
  let items = 0
  const onProgress = ({ pages }) =>
    Effect.sync(() => {
      if (pages % (length / samples) !== 0) return
      globalThis.gc()
      peak = Math.max(peak, process.memoryUsage().heapUsed)
    })
  const program = Stream.runForEach(Paging.pages({ first: 1, next, prefetch, onProgress }), (page) =>
    Effect.sync(() => {
      items += page.items.length
    }),
  )
  await Effect.runPromise(program)
  if (items !== length * 100) throw new Error(`${items} items of ${length} pages`)
  return peak
}

const [length, prefetch] = process.argv.slice(2).map(Number)

if (length === undefined) {
  const here = fileURLToPath(import.meta.url)
  const rows = depths.flatMap((prefetch) =>
    sizes.map((pages) => {
      const started = performance.now()
      const peak = Number(execFileSync(process.execPath, ["--expose-gc", here, String(pages), String(prefetch)]))
      return { prefetch, pages, peak, seconds: ((performance.now() - started) / 1000).toFixed(1) }
    }),
  )
  const line = (...cells) => process.stdout.write(`${cells.map((cell) => String(cell).padStart(16)).join("")}\n`)
  line("prefetch", "pages", "peak heap, MiB", "seconds")
  for (const { pages, peak, prefetch, seconds } of rows) line(prefetch, pages, mebibytes(peak), seconds)
  const peaks = rows.map(({ peak }) => peak)
  const spread = Math.max(...peaks) / Math.min(...peaks) - 1
  const flat = spread <= 0.2
  const verdict = flat ? "flat" : "NOT within 20 %"
  process.stdout.write(`The largest is ${(spread * 100).toFixed(1)} % above the smallest: ${verdict}.\n`)
  process.exit(flat ? 0 : 1)
} else {
  process.stdout.write(String(await measure(length, prefetch)))
}
