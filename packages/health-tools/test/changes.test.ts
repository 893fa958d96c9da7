/** `health_changes` tells each change once, whatever fails between the calls. */
import { describe, expect, it } from "@effect/vitest"
import { Connection, Credential, HealthClient, Retry, SubscriptionId } from "@vigil/health-client"
import * as Timestamp from "@vigil/health-schema/Timestamp"
import * as Subject from "@vigil/health-verdict/Subject"
import * as Property from "@vigil/testing/property"
import * as Effect from "effect/Effect"
import * as HttpClient from "effect/http/HttpClient"
import type * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as HttpClientResponse from "effect/http/HttpClientResponse"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as Changes from "../src/internal/Changes.js"
import * as Cursor from "../src/internal/Cursor.js"
import { connect, event, noIssues, withData } from "./connect.js"
import { type Answer, type Lists, type Update, epoch, has, history, play } from "./histories.js"

const runs = Number(process.env["PROPERTY_RUNS"] ?? 40)

const timestamp = Schema.decodeSync(Timestamp.Timestamp)

const eventOf = ([event, seconds]: Update) => ({
  id: `/E${event}`,
  name: `E${event}`,
  properties: {
    lastUpdateTime: timestamp(new Date(epoch + seconds * 1000).toISOString()),
    status: "Active",
    eventType: "ServiceIssue",
  },
})

const updateOf = (name = "", updated = ""): Update => [Number(name.slice(1)), (Date.parse(updated) - epoch) / 1000]

const idOf = (index: number) => SubscriptionId.make(`s${index}`)

/** The first two lists are those of the tenant and of everyone. */
const subjectOf = (index: number): Subject.Subject => Subject.shared[index] ?? idOf(index)

/** Each last update is delivered once, and no update is delivered twice. */
const expectOnce = ({ expected, delivered }: Effect.Success<ReturnType<typeof play>>) => {
  const all = delivered.map(String)
  expect(all.length - new Set(all).size).toBe(0)
  expect(expected.filter((update) => !all.includes(String(update)))).toEqual([])
}

describe("health_changes", () => {
  Property.live(
    "compares each update of a random history once, whichever lists fail, by a short cursor",
    [history],
    ([one]) => {
      const page = Math.floor(one.budget / 700)
      const call = (lists: Lists, failing: number, cursor: string | undefined) =>
        Effect.sync((): Answer => {
          const { changes, next } = Changes.compare({
            state:
              cursor === undefined ? Cursor.start(epoch) : (Cursor.decode(cursor)?.state ?? Cursor.start(Infinity)),
            now: epoch + 3_600_000,
            subjects: lists.map((_, index) => subjectOf(index)),
            lists: lists.flatMap((list, index) =>
              has(failing, index) ? [] : [{ subject: subjectOf(index), events: Array.from(list, eventOf) }],
            ),
            matches: () => true,
          })
          const text = Cursor.encode("abcdefg", next(Math.min(page, changes.length)))
          expect(text.length).toBeLessThan(800)
          return {
            delivered: changes
              .slice(0, page)
              .map(({ one: { event } }) => updateOf(event.name ?? "", event.properties?.lastUpdateTime ?? "")),
            remaining: Math.max(0, changes.length - page),
            cursor: text,
          }
        })
      return Effect.map(play(one, call), expectOnce)
    },
    { fastCheck: { numRuns: runs, interruptAfterTimeLimit: 1_500_000 } },
  )

  Property.live(
    "answers each update of a random history once, within the budget",
    [history],
    ([one]) =>
      Effect.gen(function* () {
        let current: { readonly lists: Lists; readonly failing: number } = { lists: [], failing: 0 }
        const respond = (request: HttpClientRequest.HttpClientRequest) => {
          if (request.url.includes("/emergingIssues"))
            return Effect.succeed(HttpClientResponse.fromWeb(request, Response.json({ value: [noIssues] })))
          // The first list is that of the tenant.
          const index = Number(/\/subscriptions\/s(\d)\//.exec(request.url)?.[1] ?? 0)
          const list = current.lists[index] ?? new Map<number, number>()
          const response = has(current.failing, index)
            ? Response.json({ code: "Broken" }, { status: 500 })
            : Response.json({ value: Array.from(list, eventOf) })
          return Effect.succeed(HttpClientResponse.fromWeb(request, response))
        }
        const health = HealthClient.layer.pipe(
          Layer.provide(
            Connection.layer({
              baseUrl: "https://example.test",
              credential: Credential.none,
              retry: Retry.none,
            }),
          ),
          Layer.provide(Layer.succeed(HttpClient.HttpClient, HttpClient.make(respond))),
        )
        const ids = Array.from({ length: one.subscriptions }, (_, index) => idOf(index))
        const subscriptions = ids.length > 1 ? ids.slice(1) : ids
        const { call } = yield* connect(health, { subscriptions, budget: one.budget })
        const ask = Effect.fnUntraced(function* (lists: Lists, failing: number, cursor: string | undefined) {
          current = { lists, failing }
          const args = cursor === undefined ? { since: new Date(epoch).toISOString() } : { cursor }
          const answer = yield* Effect.orDie(call("health_changes", args))
          expect(answer.error).toBeUndefined()
          expect(JSON.stringify(answer).length).toBeLessThanOrEqual(one.budget)
          const times = answer.entries.map(({ updated }) => updated)
          expect(times).toEqual(times.toSorted().toReversed())
          return {
            delivered: answer.entries.map(({ trackingId, updated }) => updateOf(trackingId, updated)),
            remaining: answer.remaining,
            cursor: answer.cursor ?? "",
          }
        })
        expectOnce(yield* play(one, ask))
      }),
    { fastCheck: { numRuns: Math.ceil(runs / 8), interruptAfterTimeLimit: 1_500_000 } },
  )

  const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString()
  const updated = (name: string, minutes: number, properties = {}) =>
    event(name, { impactStartTime: ago(5000), lastUpdateTime: ago(minutes), ...properties })
  const idsOf = ({ entries }: { readonly entries: ReadonlyArray<{ readonly trackingId: string }> }) =>
    entries.map(({ trackingId }) => trackingId)

  it.live("tells an update that the service publishes after a later one", () =>
    Effect.gen(function* () {
      const one = [updated("A", 10)]
      const both = [...one, updated("B", 20)]
      const { call } = yield* withData({ subscriptions: { a: { responses: [one, both, both] } } })
      const first = yield* call("health_changes")
      const second = yield* call("health_changes", { cursor: first.cursor })
      const third = yield* call("health_changes", { cursor: second.cursor })
      expect([first, second, third].map(idsOf)).toEqual([["A"], ["B"], []])
    }),
  )

  it.live("begins with the newest, then the most severe update", () =>
    Effect.gen(function* () {
      const same = ago(10)
      const all = [
        event("Old", { eventLevel: "Critical", lastUpdateTime: ago(20) }),
        event("Warning", { eventLevel: "Warning", lastUpdateTime: same }),
        event("Critical", { eventLevel: "Critical", lastUpdateTime: same }),
        event("New", { lastUpdateTime: ago(1) }),
      ]
      const { call } = yield* withData({ subscriptions: { a: all } })
      expect(idsOf(yield* call("health_changes"))).toEqual(["New", "Critical", "Warning", "Old"])
    }),
  )

  it.live("compares a subscription that failed with its last complete read", () =>
    Effect.gen(function* () {
      const [refused, list] = [{ status: 403 }, [updated("S", 25, { impactStartTime: ago(30) })]]
      const { call } = yield* withData({ subscriptions: { a: [], b: { responses: [refused, refused, list, list] } } })
      const answers = [yield* call("health_changes", { since: ago(60) })]
      for (let index = 0; index < 3; index++)
        answers.push(yield* call("health_changes", { cursor: answers.at(-1)?.cursor }))
      expect(answers.map(({ entries, status }) => [status, entries.map(({ change }) => change)])).toEqual([
        ["partial", []],
        ["partial", []],
        ["complete", ["started"]],
        ["complete", []],
      ])
    }),
  )
})
