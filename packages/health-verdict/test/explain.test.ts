/** The verdicts on resources in situations of a sandbox: each must equal the truth. */
import { describe, expect, it } from "@effect/vitest"
import {
  AvailabilityClient,
  Connection,
  Credential,
  HealthClient,
  ResourceUri,
  Retry,
  SubscriptionId,
} from "@vigil/health-client"
import { Faults, Reply, Sandbox, World } from "@vigil/sandbox"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import {
  type Place,
  available,
  event,
  own,
  quiet,
  sql,
  subscription,
  thing,
  twin,
  unavailable,
  vm,
  ago,
  now,
} from "@vigil/testing/quietWorld"
import { FetchHttpClient } from "effect/http"
import * as Explain from "../src/Explain.js"

const maintenance = (from: number, to: number, place: Place = own) =>
  event({ eventType: "PlannedMaintenance", impactStartTime: ago(from), impactMitigationTime: ago(to) }, place)
const resolved = (hours: number, place: Place = own) =>
  event({ status: "Resolved", impactStartTime: ago(hours + 1), impactMitigationTime: ago(hours) }, place)
const status = (properties: World.StatusProperties, resource = vm) => World.putStatus(resource, properties)
const because = (reasonType: string, context = "") => status({ ...unavailable, reasonType, context })
const stopped = because("Customer Initiated", "Customer Initiated")
/** A value of the wrong type. */
const wrong = (value: unknown) => value as never

type Change = (world: World.World) => World.World

interface Situation {
  readonly resource?: string
  readonly changes?: ReadonlyArray<Change>
  /** Requests to these paths fail. */
  readonly fails?: RegExp
  readonly code?: number
}

const lists = {
  current: /web-1\/.*availabilityStatuses\/current/,
  history: /web-1\/.*availabilityStatuses\?/,
  ownEvents: /web-1\/.*ResourceHealth\/events/,
  subscription: /subscriptions\/[^/]+\/providers\/Vendor\.ResourceHealth\/events\?/,
  impacted: /impactedResources/,
  tenant: /^\/providers\/Vendor\.ResourceHealth\/events/,
  emerging: /emergingIssues/i,
  children: /childResources/,
}

const situations: ReadonlyArray<readonly [title: string, verdict: string, situation: Situation]> = [
  ["nothing happens", "none", {}],
  ["an outage names the resource", "platform", { changes: [event({}, own)] }],
  ["only the status says that the platform fails", "platform", { changes: [because("Unplanned")] }],
  [
    "an outage names the resource, and the status says so",
    "platform",
    { changes: [event({}, own), because("Unplanned")] },
  ],
  [
    "the status is degraded by the platform",
    "platform",
    { changes: [status({ ...unavailable, availabilityState: "Degraded", reasonType: "Unplanned" })] },
  ],
  ["an emerging issue names the resource", "platform", { changes: [event({ eventType: "EmergingIssues" }, own)] }],
  [
    "an event of an unknown type and status names the resource",
    "platform",
    { changes: [event({ eventType: "New", status: "InProgress" }, own)] },
  ],
  ["an outage of the service and region names no resources", "unknown", { changes: [event()] }],
  ["a global outage of the service names no resources", "unknown", { changes: [event({}, { region: "Global" })] }],
  [
    "an outage of the service and region names no resources, and the resource is down",
    "platform",
    { changes: [event(), because("")] },
  ],
  ["an emerging issue names the service and region", "unknown", { changes: [event({ eventType: "EmergingIssues" })] }],
  [
    "the platform broke what is in the resource",
    "platform",
    {
      resource: sql,
      changes: [status({ ...unavailable, reasonType: "Unplanned" }, `${sql}/databases/main`)],
    },
  ],
  [
    "an outage of another region names the resource",
    "platform",
    { changes: [event({}, { ...own, region: "East US" })] },
  ],
  [
    "an outage names the server of a database",
    "platform",
    { resource: `${sql}/databases/main`, changes: [event({}, { resources: [sql], service: "SQL Database" })] },
  ],
  [
    "the ID is in capitals, and an outage names the resource",
    "platform",
    { resource: vm.toUpperCase(), changes: [event({}, own)] },
  ],
  ["an outage ended an hour ago", "platform", { changes: [resolved(1)] }],
  [
    "the status was resolved recently",
    "platform",
    {
      changes: [
        status({
          ...available,
          occuredTime: ago(1),
          recentlyResolved: { unavailableOccuredTime: ago(2), resolvedTime: ago(1) },
        }),
      ],
    },
  ],
  [
    "the history has an outage that ended recently",
    "platform",
    { changes: [because("Unplanned"), status({ ...available, occuredTime: ago(1) })] },
  ],
  ["the owner stopped the resource during an outage", "platform", { changes: [event({}, own), stopped] }],
  [
    "the owner stopped it before the platform failed",
    "platform",
    { changes: [because("Customer Initiated", "Platform Initiated")] },
  ],
  ["maintenance is under way", "maintenance", { changes: [maintenance(1, -1)] }],
  ["the status says planned", "maintenance", { changes: [because("Planned", "Platform Initiated")] }],
  [
    "the status says planned, and an issue names the resource, too",
    "maintenance",
    { changes: [event({}, own), because("Planned")] },
  ],
  [
    "maintenance without an end is under way",
    "maintenance",
    { changes: [event({ eventType: "PlannedMaintenance", impactMitigationTime: "0001-01-01T00:00:00" }, own)] },
  ],
  ["maintenance ended an hour ago", "maintenance", { changes: [maintenance(3, 1)] }],
  ["the owner stopped the resource", "customer", { changes: [stopped] }],
  [
    "the owner stopped the resource, and the service writes it in another way",
    "customer",
    { changes: [because("UserInitiated")] },
  ],
  ["a program in the machine shut it down", "customer", { changes: [because("", "VM Initiated")] }],
  [
    "the owner stopped the resource during an outage elsewhere",
    "customer",
    { changes: [stopped, event({}, { region: "East US" })] },
  ],
  ["an outage ended two days ago", "none", { changes: [resolved(48)] }],
  ["maintenance is planned for next week", "none", { changes: [maintenance(-168, -170)] }],
  ["an outage is in another region", "none", { changes: [event({}, { region: "East US" })] }],
  ["an outage is of another service", "none", { changes: [event({}, { service: "SQL Database" })] }],
  [
    "an outage names a resource with the same name in another group",
    "unknown",
    { changes: [event({}, { resources: [twin] })] },
  ],
  ["an outage names another resource of the service", "unknown", { changes: [event({}, { resources: [`${vm}0`] })] }],
  ["an advisory names the resource", "none", { changes: [event({ eventType: "HealthAdvisory" }, own)] }],
  [
    "the owner started the resource an hour ago",
    "none",
    {
      changes: [
        status({ ...unavailable, reasonType: "Customer Initiated", reportedTime: ago(1) }),
        status({ ...available, occuredTime: ago(1) }),
      ],
    },
  ],
  [
    "the platform failed, and the state is available since before that",
    "platform",
    { changes: [status({ ...unavailable, reasonType: "Unplanned", reportedTime: ago(1) }), status(available)] },
  ],
  [
    "the service does not know the state",
    "unknown",
    { changes: [status({ ...unavailable, availabilityState: "Unknown" })] },
  ],
  ["the resource is not available, and nothing says why", "unknown", { changes: [because("")] }],
  [
    "the type of the resource is new, and an outage names no resources",
    "unknown",
    { resource: thing, changes: [event()] },
  ],
  ["the status is a week old", "unknown", { changes: [status({ ...available, reportedTime: ago(168) })] }],
  ["the current status fails", "unknown", { fails: lists.current }],
  ["the history fails", "unknown", { fails: lists.history, code: 403 }],
  ["the events of the resource fail", "unknown", { fails: lists.ownEvents }],
  ["the events of the subscription fail", "unknown", { fails: lists.subscription, code: 403 }],
  ["the events of the tenant fail", "unknown", { fails: lists.tenant }],
  ["the credential may not read the events of the tenant", "unknown", { fails: lists.tenant, code: 403 }],
  ["the emerging issues fail", "unknown", { fails: lists.emerging }],
  ["the service has no emerging issues", "none", { fails: lists.emerging, code: 404 }],
  ["the resources in it fail", "unknown", { fails: lists.children }],
  ["no resource can be in it", "none", { fails: lists.children, code: 405 }],
  [
    "the current status is not found, and an outage names the resource",
    "platform",
    { changes: [event({}, own)], fails: /web-1\/.*(availabilityStatuses|ResourceHealth\/events)/, code: 404 },
  ],
  [
    "the impacted resources of an outage of another service fail",
    "unknown",
    { changes: [event({}, { service: "SQL Database" })], fails: lists.impacted },
  ],
  [
    "the metadata fails, and an outage of the service names no resources",
    "unknown",
    { changes: [event()], fails: /metadata/, code: 403 },
  ],
  ["the metadata fails, and there are no events", "none", { fails: /metadata/ }],
  ["the current status is not a status", "unknown", { changes: [status({ ...available, summary: wrong(7) })] }],
  ["an event of the subscription is not an event", "unknown", { changes: [event({ status: wrong(7) })] }],
  ["the owner stopped the resource, but the events fail", "unknown", { changes: [stopped], fails: lists.ownEvents }],
  [
    "an outage names the resource, and all else fails",
    "platform",
    { changes: [event({}, own)], fails: /availabilityStatuses|impacted|subscriptions\/[^/]+\/providers/ },
  ],
  [
    "only the history is left, and ends with an outage",
    "platform",
    { changes: [because("Unplanned")], fails: /current|ResourceHealth\/events/ },
  ],
  [
    "maintenance is under way, and the history fails",
    "maintenance",
    { changes: [maintenance(1, -1)], fails: lists.history },
  ],
]

const clientsOf = (baseUrl: string, credential: Credential.Credential) => {
  const options = { baseUrl, credential, retry: Retry.none }
  return Layer.mergeAll(HealthClient.layer, AvailabilityClient.layer).pipe(
    Layer.provide(Connection.layer(options)),
    Layer.provide(FetchHttpClient.layer),
  )
}

const start = Effect.gen(function* () {
  const sandbox = yield* Sandbox.make({ changeEvery: undefined, now })
  const clients = clientsOf(sandbox.baseUrl, Credential.bearer(sandbox.accessToken))
  const set = ({ changes = [], code = 502, fails }: Situation) =>
    Effect.andThen(
      sandbox.change(() => changes.reduce((world, change) => change(world), quiet)),
      sandbox.refuse(({ target }) => (fails?.test(decodeURIComponent(target)) === true ? code : undefined)),
    )
  return { clients, set }
})

const issue = { name: "AB12", properties: { eventType: "ServiceIssue", status: "Active", impactStartTime: ago(3) } }

describe("explain", () => {
  it.live(`is right in ${situations.length} situations`, () =>
    Effect.gen(function* () {
      const { clients, set } = yield* start
      const verdicts = yield* Effect.forEach(situations, ([title, , situation]) =>
        Effect.gen(function* () {
          yield* set(situation)
          const resource = ResourceUri.make(situation.resource ?? vm)
          const { verdict } = yield* Explain.explain({ subscription: SubscriptionId.make(subscription), resource })
          return [title, verdict] as const
        }),
      ).pipe(Effect.provide(clients))
      expect(verdicts).toEqual(situations.map(([title, verdict]) => [title, verdict]))
    }),
  )

  it.live("does not take a response without emerging issues for one that has none", () =>
    Effect.gen(function* () {
      const { origin } = yield* Faults.serve(({ target }) => {
        if (target.includes("availabilityStatuses/current")) return Reply.json({ properties: available })
        return target.includes("emergingIssues") ? Reply.json({}) : Reply.page([])
      })
      const { unread, verdict } = yield* Explain.explain({
        subscription: SubscriptionId.make(subscription),
        resource: ResourceUri.make(vm),
      }).pipe(Effect.provide(clientsOf(origin, Credential.none)))
      expect([verdict, unread.map(({ source }) => source)]).toEqual(["unknown", ["emerging issues"]])
    }),
  )

  it.live.each([
    ["the tenant", /^\/providers.*impactedResources/],
    ["the subscription", /^\/subscriptions.*impactedResources/],
  ] as const)("takes the resources of %s for an event that both have", ([, naming]) =>
    Effect.gen(function* () {
      const { origin } = yield* Faults.serve(({ target }) => {
        if (target.includes("availabilityStatuses/current")) return Reply.json({ properties: available })
        if (naming.test(target)) return Reply.page([{ properties: { targetResourceId: vm } }])
        return Reply.page(/^(\/subscriptions\/[^/]+)?\/providers\/[^/]+\/events\?/.test(target) ? [issue] : [])
      })
      const { verdict } = yield* Explain.explain({
        subscription: SubscriptionId.make(subscription),
        resource: ResourceUri.make(vm),
      }).pipe(Effect.provide(clientsOf(origin, Credential.none)))
      expect(verdict).toBe("platform")
    }),
  )

  it.live("explains what was read in time, if other lists never end", () =>
    Effect.gen(function* () {
      const { origin } = yield* Faults.serve(({ target }) =>
        target.includes("availabilityStatuses/current")
          ? Reply.json({ properties: { ...unavailable, reasonType: "Unplanned" } })
          : Reply.silent,
      )
      const clients = clientsOf(origin, Credential.none)
      const { unread, verdict } = yield* Explain.explain(
        { subscription: SubscriptionId.make(subscription), resource: ResourceUri.make(vm) },
        { timeLimit: "500 millis" },
      ).pipe(Effect.provide(clients))
      expect(verdict).toBe("platform")
      expect(unread.map(({ source }) => source)).toContain("events of the subscription")
    }),
  )

  it.live.each([
    ["the resource does not exist", "NotFound", { resource: `${vm}9` }],
    ["the subscription does not exist", "NotFound", { resource: vm.replace(subscription, "s0") }],
    ["every list fails", "Forbidden", { fails: /./, code: 403 }],
    [
      "every list fails, and only one because the resource is not found",
      "Forbidden",
      { resource: `${vm}9`, fails: /ResourceHealth\/(?!availabilityStatuses\/current)/, code: 403 },
    ],
  ] as const)("fails if %s", ([, reason, situation]: readonly [string, string, Situation]) =>
    Effect.gen(function* () {
      const { clients, set } = yield* start
      yield* set(situation)
      const resource = ResourceUri.make(situation.resource ?? vm)
      const error = yield* Explain.explain({ subscription: SubscriptionId.make(subscription), resource }).pipe(
        Effect.flip,
        Effect.provide(clients),
      )
      expect(error.reason._tag).toBe(reason)
    }),
  )
})

it("parse ignores repeated slashes and one at the end, and refuses what is not in a subscription or not a resource", () => {
  const target = Option.some({ resource: vm, subscription })
  expect([vm, `${vm}/`, vm.replaceAll("/", "//")].map(Explain.parse)).toEqual([target, target, target])
  for (const id of ["web-1", "/providers/Vendor.A/b/c", `/subscriptions/${subscription}/resourceGroups/shop`])
    expect(Explain.parse(id)).toEqual(Option.none())
})
