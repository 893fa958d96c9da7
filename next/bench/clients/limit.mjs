/** The limit: only undici and `JSON.parse`. */
import { request } from "undici"

export const read = async ({ token, url }, onPage) => {
  let next = url
  while (next !== "") {
    const { body } = await request(next, { headers: { authorization: `Bearer ${token}` } })
    const page = JSON.parse(await body.text())
    onPage(page.value)
    next = page.nextLink
  }
}
