/** Notices: maintenance, advisories, emerging issues, security and billing. */
import { day, enumerate, hour, impactOf, priority, type Story } from "./story.js"

export const maintenance: Story = (s) => {
  const { dice } = s
  const work = dice.pick([
    "host operating system update",
    "network device firmware update",
    "storage migration",
    "certificate rotation",
  ])
  const start = s.lastUpdate + dice.between(-20, 240) * hour
  const end = start + dice.between(2, 12) * hour
  const status = end < s.now ? "Resolved" : "Active"
  const eventLevel = dice.pick(["Warning", "Informational", "Informational"])
  return {
    eventType: "PlannedMaintenance",
    status,
    title: `Planned maintenance: ${work} for ${s.service.name}`,
    summary: `A ${work} for ${s.service.name} in ${enumerate(s.regions)} is planned. Expect brief interruptions of up to 30 seconds.`,
    header: "Maintenance is planned for your resources",
    description: `During the window, each instance is updated once. No action is needed where instances are redundant.`,
    level: "Warning",
    eventLevel,
    ...priority("PlannedMaintenance", status, eventLevel),
    reason: "Planned",
    impactStartTime: s.time(start),
    impactMitigationTime: s.time(end),
    duration: (end - start) / 1000,
    impact: impactOf(s, status, `The ${work} is ${status === "Active" ? "scheduled" : "done"}.`),
    recommendedActions: {
      message: "Before the window",
      localeCode: "en",
      actions: [{ actionText: "Check that your workload is spread over zones.", groupId: 1 }],
    },
  }
}

export const advisory: Story = (s) => {
  const { dice } = s
  const retirement = dice.chance(0.6)
  const status = dice.chance(0.7) ? "Active" : "Resolved"
  const eventLevel = dice.pick(["Warning", "Informational"])
  const deadline = new Date(s.now + dice.between(30, 400) * day).toISOString().slice(0, 10)
  return {
    eventType: "HealthAdvisory",
    ...(retirement ? { eventSubType: "Retirement" } : {}),
    status,
    title: retirement
      ? `Retirement notice: move from the old ${s.service.name} interface by ${deadline}`
      : `${s.service.name}: you are close to a quota in ${enumerate(s.regions)}`,
    summary: retirement
      ? `The old interface of ${s.service.name} ends on ${deadline}.`
      : "Ask for more quota, or spread the load.",
    description: `<p>See the <a href="https://docs.vendor.example/${s.trackingId}">guide</a> for what to do.</p>`,
    eventLevel,
    level: null,
    ...priority("HealthAdvisory", status, eventLevel),
    impactStartTime: s.time(s.lastUpdate - dice.between(1, 30) * day),
    impactMitigationTime: status === "Active" ? "" : s.time(s.lastUpdate),
    impact: impactOf(s, status, retirement ? `Ends on ${deadline}.` : "Quota use is above 90 %."),
    eventTags: ["Action Recommended"],
    enableVendorSupport: false,
  }
}

export const emerging: Story = (s) => ({
  eventType: "EmergingIssues",
  status: "Active",
  title: `Emerging issue: reports of ${s.service.symptom} for ${s.service.name}`,
  summary: `We look into reports of ${s.service.symptom}. Not every customer is impacted.`,
  eventLevel: "Warning",
  impactStartTime: s.time(s.lastUpdate - s.dice.between(1, 5) * hour),
  impact: impactOf(s, "Active", "We are gathering reports."),
})

/** Only `fetchEventDetails` returns its texts. */
export const security: Story = (s) => {
  const eventLevel = s.dice.pick(["Critical", "Warning"])
  const action = s.dice.pick([
    "rotate your access keys",
    "review the sign-in logs of the last 30 days",
    "update the agent to the newest version",
  ])
  return {
    eventType: "SecurityAdvisory",
    ...(s.dice.chance(0.3) ? { eventSubType: "UnauthorizedPartyAbuse" } : {}),
    status: s.dice.chance(0.6) ? "Active" : "Resolved",
    title: `Security advisory for ${s.service.name}: action is needed`,
    summary: `We found that some resources of ${s.service.name} may be exposed. Please ${action}.`,
    description: `<p>Between two releases, a defect could let another tenant read metadata of ${s.service.name}. Please ${action}.</p>`,
    level: eventLevel,
    eventLevel,
    isEventSensitive: true,
    impactStartTime: s.time(s.lastUpdate - s.dice.between(2, 20) * day),
    impact: impactOf(s, "Active", `Please ${action}.`),
  }
}

/** Only the latest version defines it. */
export const billing: Story = (s) => {
  const { dice } = s
  const eventSubType = dice.pick([
    "ForeignExchangeRateChange",
    "Underbilling",
    "Overbilling",
    "PriceChanges",
    "TaxChanges",
    "MeterIDChanges",
  ])
  const oldRate = dice.between(100, 900) / 1000
  const status = dice.chance(0.5) ? "Active" : "Resolved"
  return {
    eventType: "Billing",
    eventSubType,
    status,
    title: `Billing: ${eventSubType.replace(/([a-z])([A-Z])/g, "$1 $2").toLowerCase()} for ${s.service.name}`,
    summary: `Rates of ${s.service.name} change with the next invoice.`,
    eventLevel: "Informational",
    billingId: dice.text("0123456789", 6),
    currencyType: dice.pick(["EUR", "USD", "GBP", "JPY"]),
    oldRate,
    newRate: dice.chance(0.2) ? 1 : Math.round(oldRate * dice.between(80, 130) * 10) / 1000,
    impactStartTime: s.time(s.lastUpdate),
    impact: impactOf({ ...s, regions: ["Global"] }, status, "See your next invoice."),
  }
}
