/** All clients beside each other: the same list, at once and with 10 ms of the service's time a page. */
import { race } from "./race.mjs"
import { start } from "./server.mjs"

const ours = ["undici", "fetch", "node"].flatMap((layer) =>
  [0, 1].map((prefetch) => ({
    name: `Vigil, ${layer}${prefetch === 0 ? "" : ", prefetch 1"}`,
    client: "ours",
    options: { layer, prefetch },
  })),
)

/** Who takes part; the first is what the others are measured by. */
export const contenders = [
  { name: "limit: undici + JSON.parse", client: "limit" },
  { name: "fetch + JSON.parse", client: "fetch" },
  { name: "official client", client: "official" },
  { name: "Effect, the natural way", client: "natural", options: { layer: "undici" } },
  ...ours,
]

/** Runs those who are named, all of them by default, over one list; each with its time as a multiple of the first one's. */
export const compare = async ({ delay = 0, names = contenders.map(({ name }) => name), pages, report, rounds }) => {
  const { baseUrl, stop } = await start()
  const chosen = contenders
    .filter(({ name }) => names.includes(name))
    .map(({ client, name, options }) => ({ name, entry: { baseUrl, client, list: { delay, pages }, options } }))
  const raced = await race(chosen, { report, rounds })
  stop()
  return raced
}
