/** The answer of `vigil status` for programs. The fields are documented in `docs/recipes/resources.md`. */
import * as AvailabilityStatus from "@vigil/health-schema/AvailabilityStatus"
import * as Labels from "@vigil/health-text/Labels"
import * as Assessment from "@vigil/health-verdict/Assessment"
import * as Subject from "@vigil/health-verdict/Subject"
import type * as Summary from "@vigil/health-verdict/Summary"
import * as Answer from "./Answer.js"

type Why = (one: Pick<Assessment.Assessment, "evidence">) => string

const resourceJson = (one: Assessment.Assessment) => ({
  id: AvailabilityStatus.resourceId(one.status) ?? null,
  name: AvailabilityStatus.resourceName(one.status) ?? null,
  subscription: AvailabilityStatus.subscriptionId(one.status) ?? null,
  state: Assessment.label(one),
  since: one.status.properties?.occuredTime ?? null,
})

const causeJson = (cause: Summary.Cause, why: Why) => ({
  cause: cause.evidence?.cause ?? null,
  reason: cause.who,
  trackingId: cause.evidence?.trackingId ?? null,
  title: why(cause),
  resources: cause.resources.map(resourceJson),
})

const issueJson = ({ event, nearby, reach, resources, subjects }: Summary.Issue) => {
  const subscriptions = subjects.filter(Subject.isSubscription)
  const isOfTenant = subjects.some((one) => !Subject.isSubscription(one) && one._tag === "Tenant")
  return {
    trackingId: event.name ?? null,
    title: Labels.title(event),
    type: event.properties?.eventType ?? null,
    level: Labels.level(event),
    ...(subscriptions.length > 0 ? { subscriptions } : { scope: isOfTenant ? "tenant" : "everyone" }),
    reach,
    resources: resources.map(({ status }) => AvailabilityStatus.resourceId(status) ?? null),
    nearby,
  }
}

export const make = (answer: Answer.Answer, next: string | undefined, why: Why) => {
  const { all, causes, issues, verdict } = answer.summary
  const stopped = all.filter(Assessment.isStopped).length
  return {
    status: verdict,
    answer: Answer.text(answer),
    asOf: new Date(answer.picture.now).toISOString(),
    subscriptions: answer.picture.statuses.map(({ subject }) => subject),
    resources: {
      total: all.length,
      notAvailable: all.filter(({ state }) => state !== "Available").length - stopped,
      stopped,
      affected: all.filter(Assessment.isAffected).length,
    },
    causes: causes.map((cause) => causeJson(cause, why)),
    issues: issues.map(issueJson),
    unread: answer.unread,
    next: next ?? null,
  }
}
