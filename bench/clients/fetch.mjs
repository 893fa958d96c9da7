/** The platform's `fetch` and `JSON.parse`. */
export const read = async ({ token, url }, onPage) => {
  let next = url
  while (next !== "") {
    const response = await fetch(next, { headers: { authorization: `Bearer ${token}` } })
    const page = JSON.parse(await response.text())
    onPage(page.value)
    next = page.nextLink
  }
}
