import { expect, it } from "vitest"
import * as Severity from "@vigil/health-text/Severity"

it.each([
  [{ eventLevel: "error", level: "Warning" }, "error", "Error"],
  [{ eventLevel: "Severe", level: "Warning" }, "Warning", "Warning"],
  [{ eventLevel: "", level: "Severe" }, "Severe", "Other"],
  [{ eventLevel: "Severe", level: "Grave" }, "Severe", "Other"],
  [{ eventLevel: null }, undefined, "Other"],
  [null, undefined, "Other"],
])("an event with %j has the level %s and the severity %s", (properties, level, severity) => {
  expect([Severity.level({ properties }), Severity.fromEvent({ properties })]).toEqual([level, severity])
})

it("the worst severity is the highest, also of more values than a function call can take", () => {
  expect(Severity.worst([])).toBe("Other")
  expect(Severity.worst([...Array.from({ length: 200_000 }, () => "Warning" as const), "Error"])).toBe("Error")
})
