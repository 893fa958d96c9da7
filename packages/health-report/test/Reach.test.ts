/** What a report says about the reader's resources: which do not work, why, since when, what to do next, and which events hit them. */
import * as HtmlReport from "@vigil/health-report/HtmlReport"
import type { Snapshot } from "@vigil/health-report/Snapshot"
import type { AvailabilityStatus } from "@vigil/health-schema/AvailabilityStatus"
import type { AnyEvent } from "@vigil/health-schema/HealthEvent"
import type { ImpactedResource } from "@vigil/health-schema/ImpactedResource"
import type { Timestamp } from "@vigil/health-schema/Timestamp"
import { describe, expect, it } from "vitest"

const now = Date.UTC(2026, 2, 10, 12)
const at = (hours: number) => new Date(now - hours * 3_600_000).toISOString() as Timestamp

const [production, staging] = ["a0000001-0000-0000-0000-000000000000", "b0000002-0000-0000-0000-000000000000"] as const

const idOf = (name: string, subscription: string = production, type = "Web/sites") =>
  `/subscriptions/${subscription}/resourceGroups/g/providers/V.${type}/${name}`

const status = (id: string, properties: AvailabilityStatus["properties"] = {}): AvailabilityStatus => ({
  id: `${id}/providers/V.ResourceHealth/availabilityStatuses/current`,
  location: "westeurope",
  properties: { availabilityState: "Available", reportedTime: at(0), ...properties },
})

const issue = (name: string, service: string, region: string, properties: AnyEvent["properties"] = {}): AnyEvent => ({
  id: `/events/${name}`,
  name,
  properties: {
    title: `Active: ${name} title`,
    eventType: "ServiceIssue",
    eventLevel: "Error",
    status: "Active",
    impactStartTime: at(3),
    impact: [{ impactedService: service, impactedRegions: [{ impactedRegion: region, status: "Active" }] }],
    ...properties,
  },
})

const listed = (...ids: ReadonlyArray<string>): { items: ReadonlyArray<ImpactedResource>; invalid: number } => ({
  items: ids.map((targetResourceId) => ({ properties: { targetResourceId } })),
  invalid: 0,
})

const supportedValues = [
  { displayName: "Web", resourceTypes: ["V.Web/sites"] },
  { displayName: "SQL", resourceTypes: ["V.Sql/servers"] },
]
const metadata = [{ properties: { supportedValues } }]

interface World extends Partial<NonNullable<Snapshot["resources"]>> {
  readonly events?: ReadonlyArray<AnyEvent>
  readonly subscriptions?: Snapshot["subscriptions"]
}

const report = ({ events = [], subscriptions, ...resources }: World) =>
  HtmlReport.make({
    source: `Subscription Production (${production})`,
    subscriptions,
    events,
    invalid: 0,
    failed: [],
    from: now - 86_400_000,
    now,
    resources: { source: "Subscription Production", statuses: [], invalid: 0, failed: [], metadata, ...resources },
  })

const plain = (html: string) =>
  html
    .replace(/<[^>]*>/g, " ")
    .replace(/\s+/g, " ")
    .trim()

const head = (html: string, read = plain) => read(/<header>([^]*?)<\/header>/.exec(html)?.[1] ?? "")

const down = { availabilityState: "Unavailable", occuredTime: at(2), reasonType: "Unplanned" } as const
const stopped = { ...down, reasonType: "UserInitiated" } as const

describe("the head of a report", () => {
  it("begins with what does not work, why, and since when, then the events that hit it, then the rest of the cloud", () => {
    const page = report({
      events: [
        issue("FAR-1", "Web", "East US"),
        issue("NEAR-1", "Web", "West Europe"),
        issue("OWN-1", "Web", "UK South"),
      ],
      statuses: [
        status(idOf("fine")),
        status(idOf("stopped"), stopped),
        status(idOf("web"), { ...down, healthEventId: "own-1" }),
      ],
      impacted: new Map([["own-1", listed(idOf("web"))]]),
    })
    expect(head(page)).toMatch(
      /2 of 3 resources are not available 1 Unavailable and 1 perhaps stopped by its owner Unavailable web since 10 Mar, 10:00 \(2 h\) Platform, confirmed: OWN-1 title Next: Follow the event\. Unavailable stopped since .* Own action, perhaps more: .* Next: vigil why stopped 2 events hit what you have Error OWN-1 title It names web\. Error NEAR-1 title 3 resources of yours are in its services and regions\. The rest of the cloud 1 active issue elsewhere Error FAR-1 title$/,
    )
  })

  it("says what only owners stopped, and counts the others as down", () => {
    const statuses = [status(idOf("fine")), status(idOf("stopped"), stopped)]
    expect(head(report({ statuses }))).toContain("1 of 2 resources is not available stopped by its owner")
    const events = [issue("AB12-CD3", "Web", "West Europe")]
    const also = status(idOf("also"), { ...stopped, healthEventId: "AB12-CD3" })
    expect(head(report({ events, statuses: [also, status(idOf("web"), down)] }))).toMatch(
      /2 of 2 resources are not available 2 Unavailable .* also since .* Platform, and own action/,
    )
  })

  it("counts what it does not show", () => {
    const some = (count: number, properties: AvailabilityStatus["properties"]) =>
      Array.from({ length: count }, (_, index) => status(idOf(`r${index}`), properties))
    const over = { recentlyResolved: { unavailableOccuredTime: at(3), resolvedTime: at(1) } }
    const statuses = [...some(6, down), ...some(2, { healthEventId: "other" }), ...some(1, over)]
    expect(head(report({ statuses }))).toMatch(
      /6 of 9 resources are not available .*2 are .*affected .*and 4 more, 3 of them available /,
    )
  })

  it("says that an available resource may be affected if an event lists it, what contains it, or what is in it", () => {
    const server = idOf("db", production, "Sql/servers")
    const page = report({
      events: [issue("AB12-CD3", "Other", "UK South")],
      statuses: [status(idOf("fine")), status(server), status(`${server}/databases/a`)],
      impacted: new Map([["ab12-cd3", listed(`${server}/databases/a`)]]),
    })
    expect(head(page)).toContain("3 resources are available 2 of them may be affected")
    expect(head(page)).toContain("It names db and a.")
  })

  it("does not say that an event is elsewhere if its service or region is unknown", () => {
    const statuses = [status(idOf("web"))]
    for (const [service, region] of [
      ["Web", ""],
      ["", "westeurope"],
      ["web", "Global"],
    ] as const)
      expect(head(report({ events: [issue("A", service, region)], statuses }))).toContain("1 event hits what you have")
    const unknown = issue("A", "SQL", "West Europe")
    expect(head(report({ events: [unknown], statuses }))).toContain("1 active issue elsewhere")
    expect(head(report({ events: [unknown], statuses, metadata: [] }))).toContain("1 event hits what you have")
  })

  it("counts maintenance under way, but not planned maintenance and advice", () => {
    const of = (name: string, eventType: string, start: Timestamp) =>
      issue(name, "Web", "West Europe", { eventType, impactStartTime: start, impactMitigationTime: at(-9) })
    const events = [
      of("NOW-1", "PlannedMaintenance", at(1)),
      of("SOON-1", "PlannedMaintenance", at(-1)),
      of("ADVICE-1", "HealthAdvisory", at(1)),
    ]
    expect(head(report({ events, statuses: [status(idOf("web"))] }))).toMatch(
      /1 event hits what you have Error NOW-1 title/,
    )
  })

  it("counts resources of the subscriptions that list an event, and of all for one that none lists", () => {
    const event = issue("A", "Web", "West Europe")
    const statuses = [status(idOf("a")), status(idOf("b", staging)), status(idOf("c", staging))]
    const of = (...events: ReadonlyArray<ReadonlyArray<AnyEvent>>) => {
      const subscriptions = [production, staging].map((id, index) => ({
        id,
        name: undefined,
        events: events[index] ?? [],
      }))
      return head(report({ events: [event], statuses, subscriptions }))
    }
    expect(of([event])).toContain("1 resource of yours is in")
    expect(of([event], [event])).toContain("3 resources of yours are in")
    expect(of()).toContain("3 resources of yours are in")
  })

  it("names subscriptions without their IDs, and what is old", () => {
    const failed = [
      {
        source: `Resources of Subscription Production (${production})`,
        problem: `No ${production}.`,
        readAt: now - 3_600_000,
      },
    ]
    const text = head(report({ statuses: [status(idOf("web"))], failed }))
    expect(text).toContain("Some of this is of 10 Mar 2026, 11:00 UTC. Resources of Production could not be read.")
    expect(text).not.toContain(production)
  })
})

describe("the title of the tab", () => {
  const title = (world: World) => /<title>(.*) · Service health<\/title>/.exec(report(world))?.[1]

  it.each<readonly [string, World]>([
    ["1 down, 1 stopped by its owner", { statuses: [status(idOf("a"), down), status(idOf("b"), stopped)] }],
    ["2 stopped by their owners", { statuses: [status(idOf("a"), stopped), status(idOf("b"), stopped)] }],
    ["1 down", { statuses: [status(idOf("a"), stopped)], events: [issue("A", "Web", "West Europe")] }],
    ["1 not available", { statuses: [status(idOf("a"), { reportedTime: at(48) })] }],
    ["1 affected", { statuses: [status(idOf("a"), { healthEventId: "other" })] }],
    ["1 issue", { statuses: [status(idOf("a"))], events: [issue("A", "Web", "West Europe")] }],
    ["All available", { statuses: [status(idOf("a"))], events: [issue("A", "Web", "East US")] }],
    ["No resources", { statuses: [], events: [issue("A", "Web", "East US")] }],
    ["Not known", { failed: [{ source: "a", problem: "No.", readAt: undefined }] }],
  ])("begins with the state: %s", (text, world) => {
    expect(title(world)).toBe(text)
  })
})

describe("the resources of a report", () => {
  const section = (html: string) => html.slice(html.indexOf('<h2 id="resources"'), html.indexOf('<h2 id="timeline"'))
  const rows = (html: string) =>
    [...section(html).matchAll(/<tr id="([^]*?)<\/tr>/g)].map(([, row = ""]) => plain(`<${row}`))

  it("have their state, why, and what to do next", () => {
    const actions = [{ actionText: "Use another region." }]
    const event = issue("AB12-CD3", "Web", "East US", { recommendedActions: { actions } })
    const properties = { ...down, healthEventId: "AB12-CD3", resolutionETA: at(-2) }
    const page = report({
      events: [event],
      statuses: [
        status(idOf("by-event"), properties),
        status(idOf("advised"), { ...down, resolutionETA: at(1), recommendedActions: [{ action: "Wait." }] }),
        status(idOf("stopped"), { ...stopped, summary: "Stopped." }),
        status(idOf("also-stopped"), { ...stopped, summary: "Stopped.", healthEventId: "AB12-CD3" }),
        status(idOf("unknown"), { availabilityState: "Unknown" }),
        status(idOf("old"), { reportedTime: at(72) }),
        status(idOf("over"), {
          recentlyResolved: { unavailableOccuredTime: at(3), resolvedTime: at(1), unavailableSummary: "It was down." },
        }),
      ],
      impacted: new Map([["ab12-cd3", listed()]]),
    })
    const since = "Unavailable 10 Mar, 10:00 (2 h)"
    expect(rows(page)).toEqual([
      `by-event sites · g ${since} . Expected end 10 Mar, 14:00 Platform, confirmed: AB12-CD3 title Use another region.`,
      `advised sites · g ${since} . Expected end 10 Mar, 11:00 has passed Platform, confirmed: the resource is Unavailable Wait.`,
      "unknown sites · g Unknown Unknown vigil why unknown",
      "old sites · g Unknown Checked 3 d ago vigil why old",
      `also-stopped sites · g ${since} Platform, and own action, confirmed: AB12-CD3 title . Stopped Use another region. Start it again if it is needed.`,
      `stopped sites · g ${since} Own action, confirmed: Stopped Start it again if it is needed.`,
      "over sites · g Available Platform, until recently: It was down Check that it works.",
    ])
  })

  it("say how sure a cause is, and why it is not sure", () => {
    const server = idOf("db", production, "Sql/servers")
    const page = report({
      events: [
        issue("WEB-1", "Web", "West Europe", { recommendedActions: { actions: [{ actionText: "Restart." }] } }),
        issue("SQL-1", "SQL", "West Europe"),
        issue("DNS-1", "DNS", "East US"),
      ],
      statuses: [
        status(idOf("of-service"), { availabilityState: "Degraded" }),
        status(idOf("beside", production, "Sql/servers"), { availabilityState: "Degraded" }),
        status(`${server}/databases/inside`, { availabilityState: "Degraded" }),
        { ...status(idOf("old"), { ...down, reportedTime: at(48) }), location: "uksouth" },
        { ...status(idOf("not-listed"), { availabilityState: "Unknown", healthEventId: "XY99" }), location: "uksouth" },
      ],
      impacted: new Map([
        ["web-1", listed()],
        ["sql-1", listed(idOf("other"))],
        ["dns-1", listed(server)],
      ]),
    })
    const rest = (name: string) => rows(page).find((row) => row.startsWith(`${name} `))
    expect(rest("of-service")).toMatch(
      /Platform, not confirmed: WEB-1 title \. It is about its service and region, and names no resources Restart\.$/,
    )
    expect(rest("beside")).toMatch(
      /Perhaps platform: SQL-1 title \. It is about its service and region, and names other resources vigil why beside$/,
    )
    expect(rest("inside")).toMatch(
      /Platform, confirmed: DNS-1 title \. It names what contains the resource Follow the event\.$/,
    )
    expect(rest("old")).toMatch(/Perhaps platform: the resource is Unavailable\. Last reported 2 d ago vigil why old$/)
    expect(rest("not-listed")).toMatch(/Perhaps platform: Event XY99\. No list that was read has it vigil why/)
  })

  it("and events link to each other", () => {
    const page = report({
      events: [issue("AB12-CD3", "Web", "West Europe")],
      statuses: [status(idOf("web"), { ...down, healthEventId: "AB12-CD3" })],
    })
    expect(section(page)).toMatch(/<a class="plain" href="#event-AB12-CD3"/)
    expect(page).toMatch(/id="event-AB12-CD3">[^]*<h4>Your resources<\/h4>[^]*<a href="#resource-[^"]*">web<\/a>/)
  })

  it("keep their links when others follow or precede them, and have different ones without IDs", () => {
    const linkOf = (...statuses: ReadonlyArray<AvailabilityStatus>) =>
      /<a class="plain" href="#([^"]*)"><b>web</.exec(head(report({ statuses }), String))?.[1]
    const web = status(idOf("web"), down)
    const link = linkOf(web)
    expect(linkOf(status(idOf("db"), down), web, status(idOf("web", staging), down))).toBe(link)
    const page = report({ statuses: [web, { ...web, id: null }, { ...web, id: null }] })
    const links = [...page.matchAll(/<tr id="([^"]*)"/g)].map(([, id]) => id)
    expect(links).toContain(link)
    expect(new Set(links).size).toBe(3)
  })

  it("and events name their subscriptions if there are several", () => {
    const event = issue("AB12-CD3", "Web", "West Europe")
    const world = { events: [event], statuses: [status(idOf("web", staging), { ...down, healthEventId: "AB12-CD3" })] }
    const subscriptions = [
      { id: production, name: "Production", events: [event] },
      { id: staging, name: undefined, events: [event] },
    ]
    const several = report({ ...world, subscriptions })
    expect(head(several)).toContain("Service health Production and b0000002… As of")
    expect(head(several)).toContain("web of b0000002… since")
    expect(head(several)).toContain("It names web of b0000002….")
    expect(rows(several)[0]).toContain("sites · g · b0000002…")
    expect(plain(several)).toContain("Service issue Production and b0000002… Web · West Europe")
    expect(plain(report({ ...world, subscriptions: subscriptions.slice(0, 1) }))).not.toContain(
      "Service issue Production",
    )
  })

  it("are folded after the first ten, and cut after 200", () => {
    const page = report({ statuses: Array.from({ length: 201 }, (_, index) => status(idOf(`r${index}`), down)) })
    const parts = section(page).split("Other affected resources")
    expect(parts.map((part) => part.split("<tr id").length - 1)).toEqual([10, 190])
    expect(section(page)).toContain("The table shows 200 of 201 resources.")
  })
})
