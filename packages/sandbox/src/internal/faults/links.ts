/** Faults of `nextLink`: links to other origins, unusual links to the service itself, and endless lists. */
import * as Reply from "../../Reply.js"
import { error, event, type Fault, fault, type Faults, fill, first, last, replies, second } from "./fault.js"

const link = (
  row: number,
  description: string,
  template: string,
  then: ReadonlyArray<Reply.Reply> = [last],
  events?: ReadonlyArray<object>,
): Fault =>
  fault(
    row,
    description,
    ({ foreign }) =>
      ({ origin }, index) =>
        index === 0 ? first(fill(template, origin, foreign), events) : (then[index - 1] ?? then.at(-1) ?? last),
  )

const page = "/page?$skipToken=2"
const secondPage = "/second?$skipToken=2"

const long = `${second}${"x".repeat(9_000)}`

const same = event("SAME")

const badGateway = error(502, "BadGateway", "Bad gateway.")

const unsafe = {
  "next-link-other-host": link(1, "Links to another host.", `http://localhost:{foreign.port}${page}`),
  "next-link-other-port": link(2, "Links to another port of the same host.", `{foreign}${page}`),
  "next-link-http": {
    ...link(3, "Serves TLS, but links to its port over plain HTTP.", `http://{own.host}${page}`),
    tls: true,
  },
  "next-link-userinfo": link(4, "The link has its own host as user name.", `http://{own.host}@{foreign.host}${page}`),
  "next-link-at-sign": link(4, "The link starts with @ and another host.", `@{foreign.host}${page}`),
  "next-link-protocol-relative": link(
    5,
    "The link starts with two slashes and another host.",
    `//{foreign.host}${page}`,
  ),
  "next-link-backslashes": link(
    5,
    "The link starts with two backslashes and another host.",
    `\\\\{foreign.host}${page}`,
  ),
  "next-link-malformed": link(14, "The link is malformed.", `http://[::1${page}`),
  "next-link-file": link(15, "The link is a file URL.", "file:///etc/passwd"),
  "next-link-javascript": link(15, "The link is a javascript URL.", "javascript:alert(1)"),
  "next-link-data": link(15, "The link is a data URL with a page.", `data:application/json,{"value":[]}`),
} satisfies Faults

const own = {
  "next-link": link(6, "The link is absolute, as it should be.", second),
  "next-link-relative": link(6, "The link is a path and a query.", second.replace("{own}", "")),
  "next-link-query-only": link(6, "The link is only a query.", "?$skipToken=2"),
  "next-link-empty": link(7, "The link of the only page is an empty string.", ""),
  "next-link-null": replies(8, "The link of the only page is null.", first(null)),
  "next-link-blank": link(9, "The link of the only page is white space.", " \t\n"),
  "next-link-long": link(13, "The link is valid and 9 KB long.", long),
  "next-link-too-long": fault(
    13,
    "The link is 9 KB long, and the service responds to it with 414.",
    ({ foreign }) =>
      ({ origin, target }) =>
        target.length > 8_192 ? error(414, "UriTooLong", "The URL is too long.") : first(fill(long, origin, foreign)),
  ),
  "next-link-host-in-hex": link(
    16,
    "The link spells the host 127.0.0.1 as 0x7f.1.",
    `http://0x7f.1:{own.port}${secondPage}`,
  ),
  "next-link-trailing-dot": link(
    16,
    "The link has a dot after its IP address.",
    `http://127.0.0.1.:{own.port}${secondPage}`,
  ),
  "next-link-upper-case": link(16, "The scheme of the link is upper case.", `HTTP://{own.host}${secondPage}`),
  "next-link-odd-bytes": link(
    17,
    "The link contains %2B, %20, +, a raw $ and a second question mark, which must not change.",
    "{own}/second/a%2Fb?$filter=a%2Bb%20c+d&e=%e2%82%ac?$skipToken=a$b%3D",
  ),
  "next-link-illegal-bytes": link(
    17,
    "The link contains a space, an apostrophe and a non-ASCII letter.",
    "{own}/second?$filter=name eq 'Zürich'&$skipToken=2",
  ),
  "next-link-api-version": link(
    18,
    "The link contains another api-version.",
    "{own}/second?api-version=2025-04-01&$skipToken=2",
  ),
  "empty-page-with-link": link(19, "The first page is empty, but has a link.", second, [last], []),
  "last-page-502": link(20, "The second and last page is always a 502.", second, [badGateway]),
  "last-page-502-once": link(20, "The second and last page is first a 502.", second, [badGateway, last]),
  "same-id-twice": link(50, "Both pages contain the same event.", second, [Reply.page([same], null)], [same]),
} satisfies Faults

const position = (target: string): number => Number(/[?&]\$skipToken=(\d+)$/.exec(target)?.[1] ?? 0)

const loop = (row: number, description: string, next: (position: number) => number): Fault =>
  fault(row, description, () => ({ origin, target }) => {
    const current = position(target)
    return Reply.page([event(`EVENT-${current}`)], `${origin}/list?$skipToken=${next(current)}`)
  })

/** Spells a query in a different way for each number: the order of its parameters, and which characters are percent-encoded. */
const respell = (parameters: ReadonlyArray<string>, number: number): string => {
  const isLower = (number & 2) === 0
  const encode = (character: string, index: number) => {
    if (character === "=" || ((number >> (index % 8)) & 1) === 0) return character
    const hex = character.charCodeAt(0).toString(16)
    return `%${isLower ? hex : hex.toUpperCase()}`
  }
  const spelled = parameters.map((parameter) => Array.from(parameter, encode).join(""))
  return (number % 2 === 0 ? spelled : spelled.toReversed()).join("&")
}

const toSelf: Reply.Script = ({ origin, target }) => Reply.page([same], `${origin}${target}`)

const loops = {
  "next-link-loop-self": fault(10, "The page links to itself.", () => toSelf),
  "next-link-loop-two": loop(11, "Two pages link to each other.", (page) => (page === 1 ? 2 : 1)),
  "next-link-loop-long": loop(11, "The tenth page links to the first.", (page) => (page % 10) + 1),
  "next-link-loop-late": loop(11, "Five pages, then a loop of three pages.", (page) => (page === 8 ? 6 : page + 1)),
  "next-link-loop-fragment": fault(
    11,
    "Each page links to the first, with another fragment.",
    () =>
      ({ origin, target }, index) =>
        Reply.page([same], `${origin}${target}#${index}`),
  ),
  "next-link-loop-spelling": fault(
    11,
    "Each page links to one page, with its parameters in another order and encoding.",
    () =>
      ({ origin }, index) =>
        Reply.page([same], `${origin}/list?${respell(["$skipToken=a/b", "api-version=2025-05-01"], index)}`),
  ),
  "endless-links": loop(12, "Every page links to a new page.", (page) => page + 1),
} satisfies Faults

export const links = { ...unsafe, ...own, ...loops }
