/** The answer of `vigil status` as one screen of text: the resources that do not work by their causes, other issues, and what was not read. */
import * as ResourceId from "@vigil/health-schema/ResourceId"
import * as AvailabilityStatus from "@vigil/health-schema/AvailabilityStatus"
import * as Labels from "@vigil/health-text/Labels"
import * as Moment from "@vigil/health-text/Moment"
import { enumerateSome, plural } from "@vigil/health-text/Sentence"
import * as TerminalText from "@vigil/health-text/TerminalText"
import * as Wrap from "@vigil/health-text/Wrap"
import * as Assessment from "@vigil/health-verdict/Assessment"
import type * as Summary from "@vigil/health-verdict/Summary"
import * as Answer from "./Answer.js"

interface Options {
  readonly width: number | undefined
  readonly color: boolean
  /** The command to run next. */
  readonly next: string | undefined
  /** That of `StatusText`, which includes an HTML parser. */
  readonly why: (one: Pick<Assessment.Assessment, "evidence">) => string
}

/** What more there is of a section is counted, so that the screen stays one. */
const max = { causes: 10, resources: 5, issues: 5, unread: 10 }

const nameOf = ({ status }: Assessment.Assessment, { names, picture }: Answer.Answer): string => {
  const id = AvailabilityStatus.resourceId(status)
  const of = picture.statuses.length > 1 ? ` of ${names.label(ResourceId.subscription(id) ?? "")}` : ""
  return TerminalText.line(Labels.orElse(ResourceId.name(id), "(no ID)")) + of
}

const stateOf = (one: Assessment.Assessment, now: number): string => {
  const since = Moment.parse(one.status.properties?.occuredTime)
  if (one.state === "Available") return "Available, may be affected"
  const span = since === undefined || since > now ? "" : ` for ${Moment.span(now - since)}`
  return TerminalText.line(Assessment.label(one)) + span
}

const causeLines = (cause: Summary.Cause, answer: Answer.Answer, { why, width }: Options): ReadonlyArray<string> => {
  const { evidence, resources, who } = cause
  const [first, ...others] = resources.map((one) => `${nameOf(one, answer)} (${stateOf(one, answer.picture.now)})`)
  const id = evidence?.trackingId === undefined ? "" : ` (${evidence.trackingId})`
  const head = evidence === undefined ? (who === "unknown" ? "nothing says why" : who) : `${who}: ${why(cause)}${id}`
  const shown = others.slice(0, max.resources - 1)
  const more = others.length - shown.length
  return [
    ...Wrap.lines(`${head.charAt(0).toUpperCase()}${head.slice(1)}`, width, "  "),
    ...Wrap.lines(`${[first, ...shown].join(", ")}${more > 0 ? ` and ${more} more` : ""}`, width, "    "),
  ]
}

/** What an issue has to do with the reader. */
const reachOf = ({ event, nearby, resources }: Summary.Issue, answer: Answer.Answer): string => {
  if (resources.length > 0) return `It names ${enumerateSome(resources.map((one) => nameOf(one, answer)))}.`
  if (nearby > 0)
    return `${plural(nearby, "resource")} of yours ${nearby === 1 ? "is" : "are"} in its services and regions.`
  return event.properties?.impact?.length
    ? "It may be about a service of yours."
    : "It does not say which services and regions it is about."
}

const issueLines = (issue: Summary.Issue, answer: Answer.Answer, { width }: Options): ReadonlyArray<string> => {
  const { event } = issue
  const origin = Labels.distinct([event.name, Labels.level(event), `of ${Answer.ownersOf(issue, answer)}`]).join(", ")
  return Wrap.lines(
    `- ${TerminalText.line(Labels.title(event))} (${TerminalText.line(origin)}). ${reachOf(issue, answer)}`,
    width,
    "  ",
  )
}

/** Those that are not the cause of a resource. */
const others = ({ summary: { causes, issues } }: Answer.Answer): ReadonlyArray<Summary.Issue> => {
  const shown = new Set(causes.map(({ evidence }) => evidence?.trackingId?.toLowerCase()))
  return issues.filter(({ event, reach }) => reach !== "elsewhere" && !shown.has(event.name?.toLowerCase() ?? ""))
}

export const lines = (answer: Answer.Answer, options: Options): ReadonlyArray<string> => {
  const { color, next, width } = options
  const { names, picture, summary, unread } = answer
  const bold = (text: string) =>
    Wrap.lines(text, width).map((line) => TerminalText.paint(line, color ? "bold" : undefined))
  const section = <A>(title: string, all: ReadonlyArray<A>, most: number, draw: (one: A) => ReadonlyArray<string>) =>
    all.length === 0
      ? []
      : [
          "",
          ...bold(title),
          ...all.slice(0, most).flatMap(draw),
          ...(all.length > most ? [`  and ${all.length - most} more`] : []),
        ]
  const rest = others(answer)
  const isMore = rest.length < summary.issues.filter(({ reach }) => reach !== "elsewhere").length
  const ids = picture.statuses.map(({ subject }) => subject)
  return [
    ...bold(Answer.text(answer)),
    ...section("Resources", summary.causes, max.causes, (cause) => causeLines(cause, answer, options)),
    ...section(isMore ? "More active issues" : "Active issues", rest, max.issues, (issue) =>
      issueLines(issue, answer, options),
    ),
    ...section("Not read", unread, max.unread, ({ list, problem }) => Wrap.lines(`- ${list}: ${problem}`, width, "  ")),
    "",
    // A command is copied, so it is not broken.
    ...(next === undefined ? [] : [`Next: ${next}`]),
    ...Wrap.lines(`As of ${Moment.minute(picture.now)} UTC, of ${names.summary(ids)}.`, width),
  ]
}
