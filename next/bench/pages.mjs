/**
 * Deterministic pages in the form of the service: impacts by region with updates, HTML, dates with 0, 3 and 7 fraction digits, nulls, the
 * year 0001, sensitive events with withheld texts, and unknown fields.
 */

/** The usual shape of an event: 3 impacts of 4 regions with 3 updates. 8 KB of JSON, or 4 KB if it is sensitive. */
export const usual = { impacts: 3, regions: 4, updates: 3 }

/** The smallest shape: no impact, article, links or actions. 1 KB. */
export const brief = { impacts: 0, isBrief: true }

const services = [
  "Virtual Machines",
  "Key Vault",
  "SQL Database",
  "Front Door",
  "Service Bus",
  "App Service",
  "Storage",
]
const places = ["West Europe", "East US", "Global", "Brazil South", "Japan East", "UK South", "Canada Central"]
const types = ["ServiceIssue", "PlannedMaintenance", "HealthAdvisory", "RCA", "SecurityAdvisory", "Billing", "Somehow"]
const levels = ["Critical", "Error", "Warning", "Informational"]
const sentence = "Engineers have found the change that raised the rate of errors. "

const nth = (list, index) => list[index % list.length]
const times = (count, make) => Array.from({ length: count }, (_, index) => make(index))

/** A time in 2025, in one of the formats of the service. */
const moment = (index) => {
  const text = new Date(Date.UTC(2025, index % 12, 1 + (index % 28), index % 24, index % 60, index % 60)).toISOString()
  return nth([text, text.replace(".000Z", "Z"), text.replace(".000Z", ".1203530Z"), text.replace(".000Z", "")], index)
}

const update = (index) => ({
  summary: `${sentence.slice(index % 30)}Update ${index}.`,
  updateDateTime: moment(index),
  eventTags: index % 5 === 0 ? ["Action Recommended"] : [],
})

const region = (index, { updates }, isSensitive) => ({
  impactedRegion: nth(places, index),
  status: nth(["Active", "Resolved"], index),
  impactedSubscriptions: index % 4 === 0 ? [`00000000-0000-4000-8000-${String(index).padStart(12, "0")}`] : [],
  impactedTenants: [],
  lastUpdateTime: moment(index),
  updates: isSensitive ? null : times(updates, (at) => update(index + at)),
})

const impact = (index, shape, isSensitive) => ({
  impactedService: nth(services, index),
  impactedServiceGuid: `6a6bf2a0-0000-4000-8000-${String(index).padStart(12, "0")}`,
  impactedRegions: times(shape.regions, (at) => region(index + at, shape, isSensitive)),
})

const advice = (index) => ({
  article: { articleId: `A-${index}`, articleContent: `<div class="article"><p>${sentence}</p></div>` },
  recommendedActions: {
    message: "Move what must not wait",
    localeCode: "en",
    actions: [{ actionText: "Fail over", groupId: 1 }],
  },
  faqs: [{ question: "When is it over?", answer: "Soon.", localeCode: "en" }],
  links: [{ type: "Hyperlink", displayText: { value: "More", localizedValue: "More" }, parameters: { id: index } }],
})

const properties = (index, shape, isSensitive) => ({
  eventType: nth(types, index),
  eventSubType: index % 7 === 2 ? "Retirement" : null,
  eventSource: "ServiceHealth",
  status: nth(["Active", "Resolved", "Active"], index),
  title: `Errors in ${nth(services, index)} ${index}`,
  summary: isSensitive ? null : `<p>${sentence}</p>`,
  header: "Your service might have been impacted",
  description: isSensitive ? null : `<p>${sentence.repeat(2)}</p>`,
  eventLevel: nth(levels, index),
  level: nth(["Critical", "Warning"], index),
  impactStartTime: moment(index),
  impactMitigationTime: index % 3 === 0 ? "0001-01-01T00:00:00Z" : moment(index + 1),
  lastUpdateTime: moment(index + 2),
  impact: times(shape.impacts, (at) => impact(index + at, shape, isSensitive)),
  isEventSensitive: isSensitive,
  isHIR: false,
  hirStage: null,
  priority: index % 24,
  platformInitiated: true,
  duration: index * 60,
  enableChatWithUs: false,
  enableMicrosoftSupport: true,
  ...(shape.isBrief ? {} : advice(index)),
  additionalInformation: { message: "" },
  eventTags: index % 4 === 0 ? ["Preliminary PIR"] : null,
  currencyType: null,
  futureField: { nested: [index, null, "kept"] },
})

/** The event at an index. Every tenth is sensitive. */
export const event = (index, shape = usual) => {
  const name = `B${String(index).padStart(3, "0")}-${index.toString(36).toUpperCase().padStart(3, "0")}`
  return {
    id: `/providers/Microsoft.ResourceHealth/events/${name}`,
    name,
    type: "/providers/Microsoft.ResourceHealth/events",
    location: "global",
    properties: properties(index, shape, index % 10 === 7),
  }
}

/** The JSON of the `value` of different pages. */
export const values = ({ distinct = 10, events = 100, shape = usual } = {}) =>
  times(distinct, (page) => JSON.stringify(times(events, (index) => event(page * events + index, shape))))

/** The JSON of a page. The link of the last page is empty. */
export const page = (value, link) => `{"value":${value},"nextLink":${JSON.stringify(link)}}`
