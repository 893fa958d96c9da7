/** Lists that have no end. */
import * as Reply from "../../../Reply.js"
import { event } from "../pages.js"
import { fault, type Draft } from "../scenario.js"

/** The number at the end of a target; of the first request, 0. */
const position = (target: string): number => Number(/[?&]\$skipToken=(\d+)$/.exec(target)?.[1] ?? 0)

/** A list in which every page leads to the position that follows its own. */
const following =
  (next: (position: number) => number): Draft["script"] =>
  () =>
  ({ origin, target }) => {
    const at = position(target)
    return Reply.page([event(`EVENT-${at}`)], `${origin}/list?$skipToken=${next(at)}`)
  }

export const loops = {
  "next-link-loop-self": fault(
    10,
    "The link is the address of the page that it is on.",
    () => (request) => Reply.page([event("SAME")], `${request.origin}${request.target}`),
  ),
  "next-link-loop-two": fault(
    11,
    "Two pages lead to each other.",
    following((at) => (at === 1 ? 2 : 1)),
  ),
  "next-link-loop-long": fault(
    11,
    "The tenth page leads to the first.",
    following((at) => (at % 10) + 1),
  ),
  "next-link-loop-late": fault(
    11,
    "Five pages lead to a loop of three that they are not part of.",
    following((at) => (at === 8 ? 6 : at + 1)),
  ),
  "endless-links": fault(
    12,
    "Every page leads to another that was not there before.",
    following((at) => at + 1),
  ),
} satisfies Readonly<Record<string, Draft>>
