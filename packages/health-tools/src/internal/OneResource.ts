/** The tool that explains the state of a resource: `health_why`. */
import type { RequestError } from "@vigil/core-http/RequestError"
import * as ExplanationText from "@vigil/health-report/ExplanationText"
import * as Limits from "@vigil/health-schema/Limits"
import * as Assessment from "@vigil/health-verdict/Assessment"
import type { Source, Unread } from "@vigil/health-verdict/Evidence"
import * as Explain from "@vigil/health-verdict/Explain"
import * as Explanation from "@vigil/health-verdict/Explanation"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as Answer from "./Answer.js"
import * as Head from "./Head.js"
import * as Query from "./Query.js"
import { fail } from "./Scope.js"
import { type Call, messageOf } from "./Session.js"
import * as Target from "./Target.js"
import * as Time from "./Time.js"
import * as quote from "./quote.js"

const optionalText = Schema.optionalKey(Schema.String)

const timeOf = (at: number | undefined): string | undefined =>
  at === undefined ? undefined : Time.utc(DateTime.makeUnsafe(at))

const withoutUndefined = <A extends object>(fields: A) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    readonly [K in keyof A]?: NonNullable<A[K]>
  }

const statusOf = ({ now, status }: Explanation.Explanation) => {
  const { context, occuredTime, reasonType, recommendedActions, reportedTime, summary } = status?.properties ?? {}
  return {
    state: status && Assessment.make(now)(status).state,
    since: Time.ofService(occuredTime),
    checked: Time.ofService(reportedTime),
    quotedReason: quote.names([reasonType ?? "", context ?? ""], 200).join(", "),
    quotedSummary: quote.line(summary ?? "", 400),
    quotedActions: quote.fitting(
      (recommendedActions ?? []).map(({ action }) => quote.line(action ?? "", 200)),
      800,
    ),
  }
}

const coveredOf = ({ notCovered, unread }: Explanation.Explanation, source: Source): Head.Covered => {
  if (notCovered.includes(source)) return "left out"
  return unread.some((one) => one.source === source) ? "incomplete" : "read"
}

const unknown = Effect.fnUntraced(function* (
  call: Call,
  quotedAnswer: string,
  outcomes: ReadonlyArray<Head.Outcome>,
  hints: ReadonlyArray<string> = [],
) {
  const now = yield* DateTime.now
  const from = DateTime.subtractDuration(now, Duration.days(Limits.activeDaysBack))
  const problems = outcomes.flatMap(({ problem }) => problem ?? [])
  return {
    head: {
      ...Head.make(call, { now, from, outcomes, hints, ...Head.notRead }),
      status: "unknown" as const,
      verdict: "unknown" as const,
      quotedAnswer,
      isOngoing: false,
      current: {},
      unread: problems.slice(0, 6).map((problem) => ({ source: "all", quotedProblem: quote.problem(problem, 300) })),
    },
    entries: [],
  }
})

/** The answer if no list could be read. Fails if the resource does not exist. */
const nothingRead = Effect.fnUntraced(function* (
  call: Call,
  { resource, subscription }: Explain.Target,
  error: RequestError,
) {
  if (error.reason._tag === "NotFound")
    return yield* fail(
      `The service does not know the resource ${JSON.stringify(quote.line(resource, 300))}. Find its ID with health_resources.`,
    )
  return yield* unknown(call, "Nothing could be read.", [
    { subscription, invalid: 0, valid: 0, problem: messageOf(error) },
  ])
})

/** Which resource. */
export class Asked extends Schema.Opaque<Asked>()(
  Schema.Struct({
    resource: Schema.String.check(Schema.isMaxLength(1000)).pipe(Schema.annotate({ description: "Name, or full ID" })),
    subscriptions: Query.list(Query.text, "Where to look for a name"),
  }),
) {}

/** Who caused its state. */
export class Verdict extends Schema.Opaque<Verdict>()(
  Schema.Struct({
    verdict: Schema.Literals(["platform", "maintenance", "customer", "none", "unknown"]),
    quotedAnswer: Schema.String,
    isOngoing: Schema.Boolean,
    suspect: Schema.optionalKey(Schema.Struct({ cause: Schema.String, subject: Schema.String })),
    current: Schema.Struct({
      state: optionalText,
      since: optionalText,
      checked: optionalText,
      quotedReason: optionalText,
      quotedSummary: optionalText,
      quotedActions: Schema.optionalKey(Schema.Array(Schema.String)),
    }),
    unread: Schema.Array(Schema.Struct({ source: Schema.String, quotedProblem: Schema.String })),
  }),
) {}

/** What may explain it. */
export class Cause extends Schema.Opaque<Cause>()(
  Schema.Struct({
    cause: Schema.String,
    subject: Schema.String,
    phase: Schema.String,
    quotedTitle: Schema.String,
    trackingId: optionalText,
    since: optionalText,
    until: optionalText,
    updated: optionalText,
    sources: Schema.Array(Schema.String),
  }),
) {}

export const explainResource = Answer.define({
  name: "health_why",
  title: "Is it the platform?",
  description:
    "Says whether the platform, maintenance or the owner caused the state of a resource. verdict none: all was read, and nothing explains it. unknown: suspect may explain it; never say the platform works.",
  parameters: Asked,
  head: Verdict,
  entry: Cause,
  read: Effect.fnUntraced(function* (call, given) {
    const found = yield* Target.find(call, given)
    if (found._tag === "Unread")
      return yield* unknown(call, found.answer, found.outcomes, call.scope.hints(given.subscriptions))
    const { failed, sameName, target, timeLimit } = found
    const { subscription } = target
    const explained = yield* Effect.result(
      Explain.explain(target, {
        sameName,
        timeLimit,
        apiVersion: call.options.apiVersion,
        withoutTenant: call.options.withoutTenant,
        describe: messageOf,
        limit: (list) => call.session.limit(subscription, list),
      }),
    )
    if (Result.isFailure(explained)) return yield* nothingRead(call, target, explained.failure)
    const explanation = explained.success
    const { because, from, now, suspect, unread, verdict } = explanation
    // That of the verdict first.
    const evidence = [...new Set([...[because ?? suspect ?? []].flat(), ...explanation.evidence])]
    const isShared = ({ source }: Unread) => source === "events of the tenant" || source === "emerging issues"
    const problems = unread
      .filter(
        (one) =>
          one.invalid === undefined &&
          !isShared(one) &&
          !(failed.length > 0 && one.source === "resources with this name"),
      )
      .map(({ problem, source }) => `${source}: ${problem}`)
    const invalid = unread.reduce((sum, one) => sum + (one.invalid ?? 0), 0)
    const head = Head.make(call, {
      now: DateTime.makeUnsafe(now),
      from: DateTime.makeUnsafe(from),
      outcomes: [
        { subscription, invalid, valid: evidence.length, problem: problems.join(" ") || undefined },
        ...failed,
      ],
      tenant: coveredOf(explanation, "events of the tenant"),
      emergingIssues: coveredOf(explanation, "emerging issues"),
      // The answer has all that was not read.
      gaps: unread.filter(isShared).map(({ problem, source }) => `Not all ${source} were read: ${problem}`),
    })
    return {
      head: {
        ...head,
        // Evidence for a verdict stands, whatever else was not read.
        ...(verdict !== "unknown" && head.status === "unknown" ? { status: "partial" as const } : {}),
        verdict,
        quotedAnswer: quote.line(ExplanationText.headline(explanation), 600),
        isOngoing: Explanation.isOngoing(explanation),
        ...(suspect === undefined ? {} : { suspect: { cause: suspect.cause, subject: suspect.subject } }),
        current: withoutUndefined(statusOf(explanation)),
        unread: unread
          .slice(0, 6)
          .map(({ problem, source }) => ({ source, quotedProblem: quote.problem(problem, 300) })),
      },
      entries: evidence.map(({ cause, phase, sources, subject, ...one }) => ({
        cause,
        subject,
        phase,
        quotedTitle: quote.line(one.title, 200),
        ...withoutUndefined({
          trackingId: one.trackingId && quote.id(one.trackingId),
          since: timeOf(one.since),
          until: timeOf(one.until),
          updated: timeOf(one.updated),
        }),
        sources,
      })),
    }
  }),
})
