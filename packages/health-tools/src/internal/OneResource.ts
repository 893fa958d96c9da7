/** The tool that explains the state of a resource: `explain_resource`. */
import type { RequestError } from "@vigil/core-http/RequestError"
import * as Assessment from "@vigil/health-report/Assessment"
import type { Explanation } from "@vigil/health-report/Explanation"
import * as ExplanationText from "@vigil/health-report/ExplanationText"
import * as Limits from "@vigil/health-schema/Limits"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as Explain from "../Explain.js"
import * as Answer from "./Answer.js"
import * as Head from "./Head.js"
import { fail } from "./Scope.js"
import type { Call } from "./Session.js"
import * as Time from "./Time.js"
import * as quote from "./quote.js"

const optionalText = Schema.optionalKey(Schema.String)

const timeOf = (at: number | undefined): string | undefined =>
  at === undefined ? undefined : Time.utc(DateTime.makeUnsafe(at))

const withoutUndefined = <A extends object>(fields: A) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    readonly [K in keyof A]?: NonNullable<A[K]>
  }

const statusOf = ({ now, status }: Explanation) => {
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

/** The answer if no list could be read. Fails if the resource does not exist. */
const nothingRead = Effect.fnUntraced(function* (
  call: Call,
  { resource, subscription }: Explain.Target,
  { message, reason }: RequestError,
) {
  if (reason._tag === "NotFound")
    return yield* fail(
      `The service does not know the resource ${JSON.stringify(quote.line(resource, 300))}. Find its ID with list_resources.`,
    )
  const now = yield* DateTime.now
  const from = DateTime.subtractDuration(now, Duration.days(Limits.activeDaysBack))
  const outcomes = [{ subscription, invalid: 0, valid: 0, problem: message }]
  return {
    head: {
      ...Head.make(call, { now, from, outcomes }),
      verdict: "unknown" as const,
      quotedAnswer: "Nothing could be read.",
      isOngoing: false,
      current: {},
      unread: [{ source: "all", quotedProblem: quote.problem(message, 200) }],
    },
    entries: [],
  }
})

export const explainResource = Answer.define({
  name: "explain_resource",
  title: "Is it the platform?",
  description:
    "Says whether the platform, maintenance or the owner caused the state of a resource. verdict none: all was read, and nothing explains it. unknown: suspect may explain it; never say the platform works.",
  parameters: {
    resource: Schema.String.check(Schema.isMaxLength(1000)).pipe(
      Schema.annotate({ description: "The full resource ID" }),
    ),
  },
  head: {
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
  },
  entry: Schema.Struct({
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
  read: Effect.fnUntraced(function* (call, { resource }) {
    const target = Explain.parse(resource)
    if (Option.isNone(target)) return yield* fail("resource is not the ID of a resource: /subscriptions/…/providers/…")
    const { subscription } = target.value
    const explained = yield* Effect.result(
      Explain.explain(target.value, {
        apiVersion: call.options.apiVersion,
        withoutTenant: call.options.withoutTenant,
        limit: (list) => call.session.limit(subscription, list),
      }),
    )
    if (Result.isFailure(explained)) return yield* nothingRead(call, target.value, explained.failure)
    const explanation = explained.success
    const { evidence, from, now, suspect, unread, verdict } = explanation
    const problems = unread
      .filter(({ invalid }) => invalid === undefined)
      .map(({ problem, source }) => `${source}: ${problem}`)
    const invalid = unread.reduce((sum, one) => sum + (one.invalid ?? 0), 0)
    const head = Head.make(call, {
      now: DateTime.makeUnsafe(now),
      from: DateTime.makeUnsafe(from),
      outcomes: [{ subscription, invalid, valid: evidence.length, problem: problems.join(" ") || undefined }],
    })
    return {
      head: {
        ...head,
        // Evidence for a verdict stands, whatever else was not read.
        ...(verdict !== "unknown" && head.status === "unknown" ? { status: "partial" as const } : {}),
        verdict,
        quotedAnswer: quote.line(ExplanationText.headline(explanation), 600),
        isOngoing: explanation.because?.phase === "now",
        ...(suspect === undefined ? {} : { suspect: { cause: suspect.cause, subject: suspect.subject } }),
        current: withoutUndefined(statusOf(explanation)),
        unread: unread
          .slice(0, 6)
          .map(({ problem, source }) => ({ source, quotedProblem: quote.problem(problem, 200) })),
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
