/** A typical first version in Effect: `Schema.Class`, `Option`, `DateTimeUtc`, and the retries of the platform. */
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as HttpClientResponse from "effect/http/HttpClientResponse"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { layers } from "./layers.mjs"

const optional = (schema) => Schema.OptionFromOptionalNullOr(schema)
const texts = (...names) => Object.fromEntries(names.map((name) => [name, optional(Schema.String)]))
const flags = (...names) => Object.fromEntries(names.map((name) => [name, optional(Schema.Boolean)]))
const times = (...names) => Object.fromEntries(names.map((name) => [name, optional(Schema.DateTimeUtcFromString)]))
const list = (schema) => optional(Schema.Array(schema))
const anything = optional(Schema.Record(Schema.String, Schema.Unknown))

class Update extends Schema.Class("Update")({
  ...texts("summary"),
  ...times("updateDateTime"),
  eventTags: list(Schema.String),
}) {}
class Region extends Schema.Class("Region")({
  ...texts("impactedRegion", "status"),
  ...times("lastUpdateTime"),
  impactedSubscriptions: list(Schema.String),
  impactedTenants: list(Schema.String),
  updates: list(Update),
}) {}
class Impact extends Schema.Class("Impact")({
  ...texts("impactedService", "impactedServiceGuid"),
  impactedRegions: list(Region),
}) {}
class Link extends Schema.Class("Link")({
  ...texts("type", "bladeName", "extensionName"),
  displayText: optional(Schema.Struct(texts("value", "localizedValue"))),
  parameters: anything,
}) {}
class Action extends Schema.Class("Action")({ ...texts("actionText"), groupId: optional(Schema.Int) }) {}
class Properties extends Schema.Class("Properties")({
  ...texts("billingId", "currencyType", "description", "eventLevel", "eventSource", "eventSubType", "eventType"),
  ...texts("externalIncidentId", "header", "hirStage", "impactType", "level", "reason", "status", "summary", "title"),
  ...flags("enableChatWithUs", "enableMicrosoftSupport", "isEventSensitive", "isHIR", "platformInitiated"),
  ...times("impactMitigationTime", "impactStartTime", "lastUpdateTime"),
  additionalInformation: optional(Schema.Struct(texts("message"))),
  article: optional(Schema.Struct({ ...texts("articleContent", "articleId"), parameters: anything })),
  duration: optional(Schema.Int),
  eventTags: list(Schema.String),
  faqs: list(Schema.Struct(texts("question", "answer", "localeCode"))),
  impact: list(Impact),
  links: list(Link),
  newRate: optional(Schema.Number),
  oldRate: optional(Schema.Number),
  priority: optional(Schema.Int),
  recommendedActions: optional(Schema.Struct({ ...texts("message", "localeCode"), actions: list(Action) })),
}) {}
class Event extends Schema.Class("Event")({
  ...texts("id", "name", "type", "location"),
  properties: optional(Properties),
}) {}
class Page extends Schema.Class("Page")({ value: Schema.Array(Event), nextLink: optional(Schema.String) }) {}

export const read = ({ layer, token, url }, onPage) =>
  Effect.gen(function* () {
    const client = (yield* HttpClient.HttpClient).pipe(
      HttpClient.mapRequest(HttpClientRequest.bearerToken(token)),
      HttpClient.filterStatusOk,
      HttpClient.retryTransient({ times: 3 }),
    )
    const fetchPage = (pageUrl) =>
      client.get(pageUrl).pipe(
        Effect.flatMap(HttpClientResponse.schemaBodyJson(Page)),
        Effect.map(({ nextLink, value }) => [value, Option.filter(nextLink, (link) => link !== "")]),
      )
    const pages = Stream.chunks(Stream.paginate(url, fetchPage))
    yield* Stream.runFold(
      pages,
      () => undefined,
      (_, events) => onPage(events),
    )
  }).pipe(Effect.provide(layers[layer]), Effect.runPromise)
