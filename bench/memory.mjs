/** Memory over a long stream: the most that the process ever held, over 50,000 and over 1,000,000 events. */
import { run } from "./race.mjs"
import { start } from "./server.mjs"

/** The peak of resident memory, in MB, after each number of pages of 100 events. */
export const memory = async () => {
  const { baseUrl, stop } = await start()
  const peaks = []
  for (const pages of [500, 10_000]) {
    const { rss } = await run({ baseUrl, client: "ours", list: { pages }, options: { layer: "undici" } })
    peaks.push({ events: pages * 100, rss: (rss * 2 ** 20) / 1e6 })
  }
  stop()
  return peaks
}
