/** Links that stay with the service, however they are spelled; and those that end a list. */
import * as Reply from "../../../Reply.js"
import { event, first, last, leadingTo, second } from "../pages.js"
import { fault, type Draft } from "../scenario.js"

const port = (origin: string): string => new URL(origin).port

export const ownLinks = {
  "next-link": fault(6, "The link is as it should be: absolute.", leadingTo(second)),
  "next-link-relative": fault(
    6,
    "The link is a path and a query.",
    leadingTo(() => "/second?api-version=2025-05-01&$skipToken=2"),
  ),
  "next-link-query-only": fault(
    6,
    "The link is a query.",
    leadingTo(() => "?$skipToken=2"),
  ),
  "next-link-empty": fault(
    7,
    "The link of the only page is an empty text.",
    leadingTo(() => ""),
  ),
  "next-link-null": fault(
    8,
    "The link of the only page is null.",
    leadingTo(() => null),
  ),
  "next-link-blank": fault(
    9,
    "The link of the only page is white space.",
    leadingTo(() => " \t\n"),
  ),
  "next-link-long": fault(
    13,
    "The link is 9 KB long, and good.",
    leadingTo((request) => `${second(request)}${"x".repeat(9_000)}`),
  ),
  "next-link-too-long": fault(
    13,
    "The link is 9 KB long, and the service answers 414 to it.",
    () => (request) =>
      request.target.length > 8_192
        ? Reply.json({ code: "UriTooLong", message: "The address is too long." }, { status: 414 })
        : first(`${second(request)}${"x".repeat(9_000)}`),
  ),
  "next-link-host-in-hex": fault(
    16,
    "The link spells the host as 0x7f.1, which is the same.",
    leadingTo(({ origin }) => `http://0x7f.1:${port(origin)}/second?$skipToken=2`),
  ),
  "next-link-trailing-dot": fault(
    16,
    "The link spells the host with a dot at its end, which of an address of numbers is the same.",
    leadingTo(({ origin }) => `http://127.0.0.1.:${port(origin)}/second?$skipToken=2`),
  ),
  "next-link-upper-case": fault(
    16,
    "The link spells its scheme in upper case.",
    leadingTo(({ origin }) => `${origin.replace("http", "HTTP")}/second?$skipToken=2`),
  ),
  "next-link-odd-bytes": fault(
    17,
    "The link has %2B, %20, +, a raw $ and a second question mark, which must come back byte for byte.",
    leadingTo(({ origin }) => `${origin}/second/a%2Fb?$filter=a%2Bb%20c+d&e=%e2%82%ac?$skipToken=a$b%3D`),
  ),
  "next-link-illegal-bytes": fault(
    17,
    "The link has a raw space, an apostrophe and a letter that is not ASCII, which a request line may not have.",
    leadingTo(({ origin }) => `${origin}/second?$filter=name eq 'Zürich'&$skipToken=2`),
  ),
  "next-link-api-version": fault(
    18,
    "The link has an api-version of its own, which is not to be added a second time.",
    leadingTo(({ origin }) => `${origin}/second?api-version=2025-04-01&$skipToken=2`),
  ),
  "empty-page-with-link": fault(
    19,
    "The first page is empty, and has a link.",
    () => (request, index) => (index === 0 ? Reply.page([], second(request)) : last),
  ),
  "last-page-502": fault(
    20,
    "The second page, the last, is always a 502.",
    () => (request, index) =>
      index === 0
        ? first(second(request))
        : Reply.json({ code: "BadGateway", message: "Bad gateway." }, { status: 502 }),
  ),
  "last-page-502-once": fault(20, "The second page, the last, is a 502 at first.", () => (request, index) => {
    if (index === 0) return first(second(request))
    return index === 1 ? Reply.json({ code: "BadGateway", message: "Bad gateway." }, { status: 502 }) : last
  }),
  "same-id-twice": fault(
    50,
    "The second page repeats the event of the first.",
    () => (request, index) => Reply.page([event("SAME")], index === 0 ? second(request) : null),
  ),
} satisfies Readonly<Record<string, Draft>>
