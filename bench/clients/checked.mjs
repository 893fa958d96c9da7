/** The limit client with our decoder: every field is checked. */
import { decode } from "@vigil/health-schema/EventsPage"
import * as Result from "effect/Result"
import { request } from "undici"

const check = decode("2025-05-01", { vendor: "Microsoft" })

export const read = async ({ token, url }, onPage) => {
  let next = url
  while (next !== undefined) {
    const { body } = await request(next, { headers: { authorization: `Bearer ${token}` } })
    const { invalid, items, nextLink } = Result.getOrThrow(check(JSON.parse(await body.text())))
    if (invalid.length > 0) throw new Error(`${invalid.length} entries are invalid events`)
    onPage(items)
    next = nextLink
  }
}
