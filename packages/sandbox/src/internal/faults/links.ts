/** Faults of `nextLink`: links to other origins, links to the service itself, and lists without an end. */
import * as Reply from "../../Reply.js"
import { error, event, type Fault, fault, type Faults, fill, first, last, leadsTo, second } from "./fault.js"

const long = `${second}${"x".repeat(9_000)}`

const badGateway = error(502, "BadGateway", "Bad gateway.")

/** Links to another origin, and links that are not URLs of a page. */
const foreign = {
  "next-link-other-host": fault(
    1,
    "The link leads to another host.",
    leadsTo("http://localhost:{foreign.port}/page?$skipToken=2"),
  ),
  "next-link-other-port": fault(
    2,
    "The link leads to another port of the same host.",
    leadsTo("{foreign}/page?$skipToken=2"),
  ),
  "next-link-http": fault(
    3,
    "The service speaks TLS, and the link leads to its host and port over plain http.",
    leadsTo("http://{own.host}/page?$skipToken=2"),
    { tls: true },
  ),
  "next-link-userinfo": fault(
    4,
    "The link has the service as its user, and another host.",
    leadsTo("http://{own.host}@{foreign.host}/page?$skipToken=2"),
  ),
  "next-link-at-sign": fault(
    4,
    "The link begins with an @, so that put behind a base address it has another host.",
    leadsTo("@{foreign.host}/page?$skipToken=2"),
  ),
  "next-link-protocol-relative": fault(
    5,
    "The link begins with two slashes and another host.",
    leadsTo("//{foreign.host}/page?$skipToken=2"),
  ),
  "next-link-backslashes": fault(
    5,
    "The link begins with two backslashes and another host, which the URL standard reads as slashes.",
    leadsTo("\\\\{foreign.host}/page?$skipToken=2"),
  ),
  "next-link-malformed": fault(14, "The link is malformed.", leadsTo("http://[::1/page?$skipToken=2")),
  "next-link-file": fault(15, "The link names a file.", leadsTo("file:///etc/passwd")),
  "next-link-javascript": fault(15, "The link is a script.", leadsTo("javascript:alert(1)")),
  "next-link-data": fault(15, "The link is a page in itself.", leadsTo(`data:application/json,{"value":[]}`)),
} satisfies Faults

/** Links to the service itself, however they are spelled, and links that end a list. */
const own = {
  "next-link": fault(6, "The link is as it should be: absolute.", leadsTo(second)),
  "next-link-relative": fault(6, "The link is a path and a query.", leadsTo(second.replace("{own}", ""))),
  "next-link-query-only": fault(6, "The link is a query.", leadsTo("?$skipToken=2")),
  "next-link-empty": fault(7, "The link of the only page is an empty text.", leadsTo("")),
  "next-link-null": fault(8, "The link of the only page is null.", leadsTo(null)),
  "next-link-blank": fault(9, "The link of the only page is white space.", leadsTo(" \t\n")),
  "next-link-long": fault(13, "The link is 9 KB long, and good.", leadsTo(long)),
  "next-link-too-long": fault(
    13,
    "The link is 9 KB long, and the service answers 414 to it.",
    (context) => (request) =>
      request.target.length > 8_192
        ? error(414, "UriTooLong", "The address is too long.")
        : first(fill(long, request.origin, context.foreign)),
  ),
  "next-link-host-in-hex": fault(
    16,
    "The link spells the host as 0x7f.1, which is the same.",
    leadsTo("http://0x7f.1:{own.port}/second?$skipToken=2"),
  ),
  "next-link-trailing-dot": fault(
    16,
    "The link spells the host with a dot at its end, which of an address of numbers is the same.",
    leadsTo("http://127.0.0.1.:{own.port}/second?$skipToken=2"),
  ),
  "next-link-upper-case": fault(
    16,
    "The link spells its scheme in upper case.",
    leadsTo("HTTP://{own.host}/second?$skipToken=2"),
  ),
  "next-link-odd-bytes": fault(
    17,
    "The link has %2B, %20, +, a raw $ and a second question mark, which must come back byte for byte.",
    leadsTo("{own}/second/a%2Fb?$filter=a%2Bb%20c+d&e=%e2%82%ac?$skipToken=a$b%3D"),
  ),
  "next-link-illegal-bytes": fault(
    17,
    "The link has a raw space, an apostrophe and a letter that is not ASCII, which a request line may not have.",
    leadsTo("{own}/second?$filter=name eq 'Zürich'&$skipToken=2"),
  ),
  "next-link-api-version": fault(
    18,
    "The link has an api-version of its own, which is not to be added a second time.",
    leadsTo("{own}/second?api-version=2025-04-01&$skipToken=2"),
  ),
  "empty-page-with-link": fault(
    19,
    "The first page is empty, and has a link.",
    (context) => (request, index) =>
      index === 0 ? Reply.page([], fill(second, request.origin, context.foreign)) : last,
  ),
  "last-page-502": fault(20, "The second page, the last, is always a 502.", leadsTo(second, badGateway)),
  "last-page-502-once": fault(20, "The second page, the last, is a 502 at first.", leadsTo(second, badGateway, last)),
  "same-id-twice": fault(
    50,
    "The second page repeats the event of the first.",
    (context) => (request, index) =>
      Reply.page([event("SAME")], index === 0 ? fill(second, request.origin, context.foreign) : null),
  ),
} satisfies Faults

/** The number at the end of a target; 0 for the first request. */
const position = (target: string): number => Number(/[?&]\$skipToken=(\d+)$/.exec(target)?.[1] ?? 0)

/** A list in which every page leads to the position that follows its own. */
const following =
  (next: (position: number) => number): Fault["script"] =>
  () =>
  ({ origin, target }) => {
    const at = position(target)
    return Reply.page([event(`EVENT-${at}`)], `${origin}/list?$skipToken=${next(at)}`)
  }

const toSelf: Reply.Script = ({ origin, target }) => Reply.page([event("SAME")], `${origin}${target}`)
const betweenTwo = following((at) => (at === 1 ? 2 : 1))
const tenPages = following((at) => (at % 10) + 1)
const fiveThenThree = following((at) => (at === 8 ? 6 : at + 1))
const endless = following((at) => at + 1)

/** Lists without an end. */
const loops = {
  "next-link-loop-self": fault(10, "The link is the address of the page that it is on.", () => toSelf),
  "next-link-loop-two": fault(11, "Two pages lead to each other.", betweenTwo),
  "next-link-loop-long": fault(11, "The tenth page leads to the first.", tenPages),
  "next-link-loop-late": fault(11, "Five pages lead to a loop of three that they are not part of.", fiveThenThree),
  "endless-links": fault(12, "Every page leads to another that was not there before.", endless),
} satisfies Faults

export const links = { ...foreign, ...own, ...loops }
