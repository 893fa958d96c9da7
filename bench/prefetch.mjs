/** Reading ahead: a service that takes 10 ms a page, and a consumer that takes 10 ms with each, with prefetch off and on. */
import { race } from "./race.mjs"
import { start } from "./server.mjs"

/** The time with a prefetch of one page as a share of the time without. */
export const prefetch = async ({ rounds }) => {
  const { baseUrl, stop } = await start()
  const list = { delay: 10, events: 20, pages: 100 }
  const entries = [0, 1].map((prefetch) => ({
    name: `prefetch ${prefetch}`,
    entry: { baseUrl, client: "ours", list, options: { consumer: 10, layer: "undici", prefetch } },
  }))
  const [, on] = await race(entries, { rounds })
  stop()
  return on.ratio
}
