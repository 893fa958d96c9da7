import * as Verdict from "@vigil/health-report/Verdict"
import { expect, it } from "vitest"

const issue = (status: string | null, eventType = "ServiceIssue") => ({ properties: { status, eventType } })

it.each([
  [[issue("Resolved")], 0, "No service issue is active."],
  [[issue("Resolved")], 1, "No service issue is known to be active. 1 entry could not be read."],
  [[issue("active"), issue("Active")], 2, "2 service issues are active. 2 entries could not be read."],
  [[issue("InProgress")], 0, "1 service issue is active. 1 event with an unknown status counts as active."],
  [
    [issue(null, "Billing"), issue("", "Billing")],
    0,
    "No service issue is known to be active. 2 events with an unknown status count as active.",
  ],
])("the verdict on %j and %i invalid entries", (events, invalid, text) => {
  expect(Verdict.text(Verdict.make({ events, invalid }))).toBe(text)
})
