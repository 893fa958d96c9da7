/** Service issues: an outage in one to four regions with a timeline of updates, and its post-incident review. */
import { enumerate, hour, impactOf, minute, priority, type Setting, type Story, type WireLinks } from "./story.js"

const causes = [
  "a configuration change that was rolled out to a subset of the front-end fleet",
  "a power event in one datacenter that took a rack of storage nodes offline",
  "an expired certificate between two internal services",
  "a fibre cut between two sites, which overloaded the remaining path",
  "a memory leak in the control plane that a recent release introduced",
  "a surge of requests that exhausted the connection pool of a backend",
] as const

const stages = [
  {
    tags: ["Action Recommended"],
    say: ({ service }: Setting) =>
      `We are investigating alerts about ${service.symptom} for ${service.name}. The next update follows within 60 minutes.`,
  },
  {
    tags: [],
    say: ({ service }: Setting, cause: string) =>
      `We have identified ${cause} as the likely cause, and are working on a mitigation for ${service.name}.`,
  },
  { tags: [], say: () => "A mitigation is being applied. Some customers see signs of recovery; we keep watching." },
  {
    tags: ["Preliminary PIR"],
    say: ({ service }: Setting) =>
      `${service.name} is mitigated. A preliminary post-incident review follows within 72 hours.`,
  },
] as const

/** The number of updates until an incident is resolved. */
export const stageCount = stages.length

/** How far an incident has got. */
export interface Progress {
  readonly active: boolean
  readonly updateCount: number
  readonly start: number
  /** Of an update in a region, both by index. */
  readonly updateTime: (update: number, region: number) => number
}

const article = (s: Setting, cause: string, status: string) =>
  `<h2>What happened?</h2><p>Customers using <b>${s.service.name}</b> in ${enumerate(s.regions)} may have seen ${s.service.symptom}.</p>` +
  `<h2>What went wrong and why?</h2><p>The impact was caused by ${cause}.</p>` +
  `<h2>How did we respond?</h2><ul><li>Engineers were paged by monitoring.</li><li>Traffic was moved away from the unhealthy nodes.</li></ul>` +
  (status === "Resolved" ? "<p>Service was restored in full.</p>" : "<p>Recovery is in progress.</p>")

const timeline = (s: Setting, cause: string, { updateCount, updateTime }: Progress, region: number) =>
  stages
    .slice(0, updateCount)
    .map(({ say, tags }, index) => ({
      summary: say(s, cause),
      updateDateTime: s.time(updateTime(index, region)),
      ...(tags.length === 0 ? {} : { eventTags: tags }),
    }))
    .toReversed()

const link = (type: string, bladeName: string, text: string, parameters: Readonly<Record<string, string>>) => ({
  type,
  bladeName,
  extensionName: "Vendor_Health",
  displayText: { value: text, localizedValue: text },
  parameters,
})

const links = (trackingId: string): WireLinks => [
  link("Hyperlink", "RequestReviewBlade", "Request the review", { trackingId, reviewRequested: "False" }),
  link("Button", "HealthBrowseBlade", "Sign up for updates", { trackingId }),
]

/** The story of an incident that has got this far. */
export const incidentAt =
  (progress: Progress): Story =>
  (s) => {
    const { dice } = s
    const { active, start } = progress
    const eventLevel = dice.pick(["Critical", "Error", "Error", "Warning", "Warning", "Informational"])
    const status = active ? "Active" : "Resolved"
    const cause = dice.pick(causes)
    const headline = `${s.service.name}: ${s.service.symptom} in ${enumerate(s.regions)}`
    const hir = eventLevel === "Critical" && dice.chance(0.6)
    return {
      eventType: "ServiceIssue",
      eventSource: dice.chance(0.2) ? "ResourceHealth" : "ServiceHealth",
      status,
      title: active ? `Active: ${headline}` : headline,
      summary: `Starting ${new Date(start).toISOString().slice(0, 16).replace("T", " ")} UTC, customers may see ${s.service.symptom}.`,
      header: "Your service might be impacted by a service issue",
      description: `Impact statement: customers using ${s.service.name} in ${enumerate(s.regions)} may see ${s.service.symptom}. Cause: ${cause}.`,
      level: eventLevel === "Critical" ? "Critical" : "Warning",
      eventLevel,
      ...priority("ServiceIssue", status, eventLevel),
      isHIR: hir,
      ...(hir ? { hirStage: active ? "active" : "resolved" } : {}),
      platformInitiated: dice.chance(0.5),
      reason: dice.pick(["Unplanned", "Customer-reported", "Monitoring"]),
      externalIncidentId: dice.text("0123456789", 9),
      article: {
        articleContent: article(s, cause, status),
        articleId: `${s.trackingId}-1`,
        parameters: { severity: eventLevel, autoRefresh: "False" },
      },
      impactStartTime: s.time(start),
      ...(active
        ? dice.chance(0.5)
          ? { impactMitigationTime: "0001-01-01T00:00:00" }
          : {}
        : { impactMitigationTime: s.time(s.lastUpdate), duration: Math.round((s.lastUpdate - start) / 1000) }),
      impactType: dice.pick(["Availability", "Latency", "Management operations"]),
      impact: [
        {
          impactedService: s.service.name,
          impactedServiceGuid: s.service.guid,
          impactedRegions: s.regions.map((impactedRegion, index) => ({
            impactedRegion,
            status: index > 0 && dice.chance(0.3) ? "Resolved" : status,
            impactedSubscriptions: s.subscriptions,
            ...(dice.chance(0.3) ? { impactedTenants: [] } : {}),
            lastUpdateTime: s.time(s.lastUpdate - index * 2 * minute),
            updates: timeline(s, cause, progress, index),
          })),
        },
      ],
      recommendedActions: {
        message: "While we work on it",
        localeCode: "en",
        actions: [
          { actionText: "Retry failed operations with back-off.", groupId: 1 },
          { actionText: `Fail over to another region if ${s.service.name} is critical to you.`, groupId: 2 },
        ],
      },
      faqs: [{ question: "Is my data safe?", answer: "Yes. This issue touches availability only.", localeCode: "en" }],
      links: links(s.trackingId),
      eventTags: [active ? "Action Recommended" : dice.pick(["Preliminary PIR", "Final PIR", "False Positive"])],
      enableChatWithUs: dice.chance(0.3),
    }
  }

export const incident: Story = (s) => {
  const { dice } = s
  const active = s.now - s.lastUpdate < 8 * hour && dice.chance(0.8)
  const updateCount = active ? dice.between(1, stageCount - 1) : stageCount
  const start = s.lastUpdate - (updateCount * 35 + dice.between(5, 240)) * minute
  const updateTime: Progress["updateTime"] = (update, region) => start + (region + update * 35) * minute
  return incidentAt({ active, updateCount, start, updateTime })(s)
}

export const review: Story = (s) => {
  const cause = s.dice.pick(causes)
  return {
    eventType: "RCA",
    status: "Resolved",
    title: `Post-incident review: ${s.service.name} in ${enumerate(s.regions)}`,
    summary: `The review of the recent issue with ${s.service.name} is published.`,
    header: null,
    eventLevel: "Informational",
    article: { articleContent: article(s, cause, "Resolved"), articleId: `${s.trackingId}-1` },
    impactStartTime: s.time(s.lastUpdate - s.dice.between(60, 300) * hour),
    impactMitigationTime: s.time(s.lastUpdate - s.dice.between(30, 50) * hour),
    impact: impactOf(s, "Resolved", `The cause was ${cause}.`, ["Final PIR"]),
    eventTags: ["Final PIR"],
    enableVendorSupport: false,
  }
}
