import { describe, expect, it } from "@effect/vitest"
import { ApiVersion, Changes, HealthEvent } from "@vigil/health-schema"
import { Notification } from "@vigil/notify"
import * as Result from "effect/Result"
import * as FastCheck from "fast-check"
import * as Schema from "effect/Schema"

const decode = (properties: object, name: string | null = "AB12-CD3") =>
  Result.getOrThrow(HealthEvent.decode(ApiVersion.defaultVersion)({ id: "/x/AB12-CD3", name, properties }))

const updates = (...summaries: ReadonlyArray<string>) => [
  {
    impactedService: "Storage",
    impactedRegions: ["West Europe", "East US"].map((impactedRegion) => ({
      impactedRegion,
      updates: summaries.map((summary) => ({ summary, updateDateTime: "2026-03-10T12:00:00Z" })),
    })),
  },
]

const active = decode({
  title: "Storage:\n 503 responses",
  eventType: "ServiceIssue",
  eventLevel: "critical",
  status: "Active",
  impactStartTime: "2026-03-10T11:00:00.1203530Z",
  impactMitigationTime: "0001-01-01T00:00:00",
  lastUpdateTime: "2026-03-10T12:30:00",
  summary: "Requests <b>fail</b> &amp; retry.",
  impact: updates("<p>One.</p>"),
})

describe("a notification", () => {
  it("has the state, texts and times of its change", () => {
    const notification = Notification.fromChange(
      { _tag: "Appeared", event: active },
      { subscription: "s1", subscriptionName: "Pro\nduction", link: ({ name }) => `https://portal.example/${name}` },
    )
    expect(notification).toEqual({
      id: expect.stringMatching(/^ab12-cd3-opened-[0-9a-f]{16}$/),
      key: "ab12-cd3",
      state: "opened",
      level: "Critical",
      trackingId: "AB12-CD3",
      type: "ServiceIssue",
      status: "Active",
      title: "Storage: 503 responses",
      services: ["Storage"],
      regions: ["West Europe", "East US"],
      subscription: "s1",
      subscriptionName: "Pro duction",
      startedAt: "2026-03-10T11:00:00.120Z",
      updatedAt: "2026-03-10T12:30:00.000Z",
      endedAt: null,
      link: "https://portal.example/AB12-CD3",
      text: "Requests fail & retry.",
    })
    expect(Schema.is(Notification.Notification)(notification)).toBe(true)
  })

  it("has the added updates as its text", () => {
    const event = decode({ ...active.properties, impact: updates("<p>One.</p>", "<p>Two <i>now</i>.</p>") })
    const changes = Changes.compare(active, event)
    const { state, text } = Notification.fromChange({ _tag: "Updated", event, changes })
    expect([state, text]).toEqual(["updated", "Two now."])
  })

  it.each([
    ["Appeared", "Active", "opened"],
    ["Appeared", "resolved", "resolved"],
    ["Resolved", "Resolved", "resolved"],
    ["Reopened", "Active", "reopened"],
    ["Disappeared", "Active", "withdrawn"],
  ] as const)("of %s with the status %s is %s", (_tag, status, state) => {
    expect(Notification.fromChange({ _tag, event: decode({ status }) }).state).toBe(state)
  })

  it.each(["Appeared", "Updated"] as const)("of %s with the tag of a false positive is resolved", (_tag) => {
    const event = decode({ status: "Active", eventTags: ["False Positive"] })
    expect(Notification.fromChange({ _tag, event }).state).toBe("resolved")
  })

  it("has the same ID for the same change, and a different ID for a different change", () => {
    const id = (event: HealthEvent.HealthEvent, subscription?: string) =>
      Notification.fromChange({ _tag: "Appeared", event }, { subscription }).id
    expect(id(active, "s1")).toBe(id(structuredClone(active), "s2"))
    expect(id(decode({ ...active.properties, title: "Other" }))).not.toBe(id(active))
  })

  it("has a key made from the content if the event has no name and no ID, also when it is withdrawn", () => {
    const keyOf = (_tag: "Appeared" | "Disappeared", title: string) =>
      Notification.fromChange({ _tag, event: { properties: { title } } }).key
    expect(keyOf("Appeared", "One")).toBe(keyOf("Disappeared", "One"))
    expect(keyOf("Appeared", "One")).not.toBe(keyOf("Appeared", "Other"))
  })

  it("requires no field of the event, and keeps its limits for any text", () => {
    const empty = Notification.fromChange({ _tag: "Appeared", event: decode({}, null) })
    expect(empty).toMatchObject({
      key: "/x/ab12-cd3",
      title: "An event without a title",
      level: "Informational",
      text: "",
    })
    // Not the unit "binary", whose table takes a second, and which has no unpaired surrogates.
    const unit = FastCheck.oneof(
      FastCheck.nat(0xffff).map((code) => String.fromCharCode(code)),
      FastCheck.nat(0x10ffff).map((code) => String.fromCodePoint(code)),
    )
    FastCheck.assert(
      FastCheck.property(FastCheck.string({ unit, maxLength: 2_000 }), (text) => {
        const event = decode({ title: text, summary: text.repeat(3), eventLevel: text }, text)
        const notification = Notification.fromChange({ _tag: "Updated", event })
        expect(notification.text.length).toBeLessThanOrEqual(4_000)
        expect(notification.id).toMatch(/^[\x21-\x7e]{1,120}$/)
        expect(notification.title).not.toMatch(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/u)
        expect(notification.text).toBe(notification.text.replace(/\p{Cs}/gu, ""))
      }),
    )
  })

  it("has the first known level of the event", () => {
    const event = decode({ eventLevel: "Sev0", level: "warning" })
    expect(Notification.fromChange({ _tag: "Appeared", event }).level).toBe("Warning")
  })

  it("has texts and lists of a limited size, and a key per event", () => {
    const long = "x".repeat(300_000)
    const impact = Array.from({ length: 300 }, (_, index) => ({
      impactedService: `${index}${long.slice(0, 300)}`,
      impactedRegions: [{ impactedRegion: `${index}` }, { impactedRegion: "West Europe" }],
    }))
    const fromName = (name: string) =>
      Notification.fromChange({
        _tag: "Appeared",
        event: decode({ title: long, eventType: long, status: long, summary: long, impact }, name),
      })
    const notification = fromName(long)
    expect(JSON.stringify(notification).length).toBeLessThan(60_000)
    const { key, regions, services, status, title, trackingId, type } = notification
    const lengths = [title, trackingId, type, status, services[0] ?? "", key].map((text) => text.length)
    expect(lengths).toEqual([1_000, 200, 100, 100, 200, 200])
    expect([services.length, regions.length]).toEqual([100, 100])
    expect(fromName(`${long}y`).key).not.toBe(key)
  })

  it("is not cut within a character", () => {
    const summary = `${"x".repeat(3_990)}👨‍👩‍👧‍👦👨‍👩‍👧‍👦`
    const { text } = Notification.fromChange({ _tag: "Appeared", event: decode({ summary }) })
    expect(text).toBe(`${"x".repeat(3_990)}…`)
  })
})
