import * as EventSummary from "@vigil/health-report/EventSummary"
import { expect, it } from "vitest"

const issue = (status: string | null, eventType = "ServiceIssue") => ({ properties: { status, eventType } })

it.each([
  [[issue("Resolved")], 0, "No issue is active."],
  [[issue("Resolved")], 1, "No issue is known to be active. 1 entry could not be read."],
  [[issue("active"), issue("Active")], 2, "2 service issues are active. 2 entries could not be read."],
  [[issue("InProgress")], 0, "1 service issue is active. 1 event with an unknown status counts as active."],
  [[issue("Active", "EmergingIssues")], 0, "1 emerging issue is active."],
  [[issue("Active", "New"), issue("Active", "")], 0, "2 issues are active."],
  [
    [issue("Active"), issue("Active", "emergingissues"), issue("Active", "New"), issue("Active", "RCA")],
    0,
    "3 issues are active: 1 service issue, 1 emerging issue and 1 other issue.",
  ],
  [
    [issue(null, "Billing"), issue("", "Billing")],
    0,
    "No issue is known to be active. 2 events with an unknown status count as active.",
  ],
])("the verdict on %j and %i invalid entries", (events, invalid, text) => {
  expect(EventSummary.text(EventSummary.make({ events, invalid, failed: [] }))).toBe(text)
})

it("the verdict on some of the events says that filters selected them", () => {
  const verdict = EventSummary.make({ events: [], invalid: 0, failed: [], isFiltered: true })
  expect(EventSummary.text(verdict)).toBe("No issue that the filters select is active.")
})

it.each([
  [["a"], "No issue is known to be active. Subscription a could not be read."],
  [
    ["a", "b", "c", "d", "e"],
    "No issue is known to be active. Subscription a, Subscription b, Subscription c and 2 more could not be read.",
  ],
])("the verdict names lists that failed: %j", (ids, text) => {
  const failed = ids.map((id) => ({ source: `Subscription ${id}`, problem: "No.", readAt: undefined }))
  expect(EventSummary.text(EventSummary.make({ events: [], invalid: 0, failed }))).toBe(text)
})
