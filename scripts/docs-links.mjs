/** The links within the built site: every file that a page refers to is there, and every place in it. */
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { dirname, join, relative, resolve } from "node:path"

/** The text of an attribute as a browser reads it. */
const unescape = (text) =>
  text
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&")

const attributes = (html, name) =>
  [...html.matchAll(new RegExp(`<[^>]*\\s${name}="([^"]*)"`, "g"))].map(([, value]) => unescape(value))

/** How many links there are, and those that lead nowhere: `page: link`. */
export const checkLinks = (site) => {
  const pages = new Map(
    readdirSync(site, { recursive: true })
      .filter((file) => file.endsWith(".html"))
      .map((file) => {
        const html = readFileSync(join(site, file), "utf8")
        return [
          join(site, file),
          { ids: new Set(attributes(html, "id")), links: [...attributes(html, "href"), ...attributes(html, "src")] },
        ]
      }),
  )
  const leads = (page, link) => {
    const [path, place = ""] = link.split("#")
    const target = path === "" ? page : resolve(dirname(page), decodeURIComponent(path))
    if (!existsSync(target)) return false
    const ids = pages.get(target)?.ids
    return place === "" || ids === undefined || ids.has(decodeURIComponent(place))
  }
  const links = [...pages].flatMap(([page, found]) =>
    [...new Set(found.links)].filter((link) => !/^[a-z]+:/i.test(link)).map((link) => ({ page, link })),
  )
  const lost = links.filter(({ link, page }) => !leads(page, link))
  return {
    count: links.length,
    pages: pages.size,
    lost: lost.map(({ link, page }) => `${relative(site, page)}: ${link}`),
  }
}
