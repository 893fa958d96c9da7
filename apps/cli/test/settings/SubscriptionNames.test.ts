/** Names of subscriptions, which may be hostile. */
import { describe, expect, it } from "vitest"
import * as DistinctNames from "../../src/init/DistinctNames.js"
import * as SubscriptionNames from "../../src/settings/SubscriptionNames.js"

const uuid = "00000000-0000-4000-8000-000000000001"

describe("the names of subscriptions", () => {
  const names = SubscriptionNames.make([
    { id: "sub-1", name: "Production" },
    { id: "attacker", name: "SUB-1" },
    { id: "attacker-2", name: uuid },
    { id: "sub-2", name: "Test\u001b[31m" },
    { id: "sub-3", name: "Twin" },
    { id: "sub-4", name: "twin" },
  ])

  it.each([
    ["Production", "sub-1"],
    ["production", "sub-1"],
    ["SUB-1", "SUB-1"],
    [uuid, uuid],
    ["test", "sub-2"],
    ["Twin", "sub-3"],
    ["TWIN", "TWIN"],
    ["unknown", "unknown"],
    ["toString", "toString"],
  ] as const)("turn %j into the ID %j", (text, id) => {
    expect(names.idOf(text)).toBe(id)
  })

  it.each([
    ["SUB-1", "Production", "Production (SUB-1)"],
    ["attacker", "attacker", "attacker"],
    ["attacker-2", "attacker-2", "attacker-2"],
    ["sub-2", "Test", "Test (sub-2)"],
    ["unknown", "unknown", "unknown"],
  ] as const)("are shown for the ID %j as %j", (id, label, title) => {
    expect([names.label(id), names.title(id)]).toEqual([label, title])
  })

  it.each([
    [["sub-1"], "Production"],
    [["unknown"], "unknown"],
    [["SUB-1", "sub-2"], "Production and Test"],
    [["unknown", "sub-2"], "Test and 1 more"],
    [["sub-1", "sub-2", "unknown", "other"], "Production and 3 more"],
    [["unknown", "other"], "2 subscriptions"],
  ] as const)("summarize %j as %j", (ids, text) => {
    expect(names.summary(ids)).toBe(text)
  })

  it("are distinguished if they are equal, look equal, or look like an ID", () => {
    const distinct = DistinctNames.make([
      { id: "a", name: "Contoso" },
      { id: "b", name: "contoso\u200b" },
      { id: "c", name: "Contoso (A)" },
      { id: "d", name: "B" },
      { id: "e", name: "Contoso (Test)" },
    ])
    expect(distinct.map(({ name }) => name)).toEqual([
      "Contoso (a)",
      "contoso (b)",
      "Contoso (A) (c)",
      "B (d)",
      "Contoso (Test)",
    ])
    const { idOf, label } = SubscriptionNames.make(distinct)
    expect(distinct.map(({ name }) => idOf(name))).toEqual(["a", "b", "c", "d", "e"])
    expect(distinct.map(({ id }) => label(id))).toEqual(distinct.map(({ name }) => name))
  })
})
