/** The limit client with our decoder, over undici or fetch: every field is checked. */
import { decode } from "@vigil/health-schema/EventsPage"
import * as Result from "effect/Result"
import { request } from "undici"

const check = decode("2025-05-01", { vendor: "Microsoft" })

const get = {
  undici: async (url, options) => (await request(url, options)).body.text(),
  fetch: async (url, options) => (await fetch(url, options)).text(),
}

export const read = async ({ layer, token, url }, onPage) => {
  let next = url
  while (next !== undefined) {
    const text = await get[layer](next, { headers: { authorization: `Bearer ${token}` } })
    const { invalid, items, nextLink } = Result.getOrThrow(check(JSON.parse(text)))
    if (invalid.length > 0) throw new Error(`${invalid.length} entries are invalid events`)
    onPage(items)
    next = nextLink
  }
}
