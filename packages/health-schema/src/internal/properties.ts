/** The event properties that every version has. */
import * as Schema from "effect/Schema"
import * as Enumerations from "../Enumerations.js"
import * as Timestamp from "../Timestamp.js"
import { int32, integer, optional, record, text } from "./record.js"

/** A map of names to values; services send any JSON. Not checked, at any depth. */
const parameters = Schema.optionalKey(Schema.make<Schema.Codec<Schema.Json>>(Schema.Unknown.ast))

export const properties = {
  additionalInformation: optional(record("AdditionalInformation", { message: text })),
  article: optional(record("Article", { articleContent: text, articleId: text, parameters })),
  description: text,
  duration: optional(int32),
  enableChatWithUs: optional(Schema.Boolean),
  /** The severity. `HealthEvent.knownLevel` also tries `level`. */
  eventLevel: optional(Enumerations.EventLevel),
  eventSource: optional(Enumerations.EventSource),
  eventTags: optional(Schema.Array(Enumerations.EventTag)),
  externalIncidentId: text,
  faqs: optional(Schema.Array(record("Faq", { question: text, answer: text, localeCode: text }))),
  header: text,
  hirStage: text,
  /** Year 0001 means "not yet": read it with `Timestamp.instant`. */
  impactMitigationTime: optional(Timestamp.Timestamp),
  impactStartTime: optional(Timestamp.Timestamp),
  impactType: text,
  isEventSensitive: optional(Schema.Boolean),
  isHIR: optional(Schema.Boolean),
  lastUpdateTime: optional(Timestamp.Timestamp),
  /** The level of insight, often `null`: not the severity. Read `HealthEvent.knownLevel` instead. */
  level: optional(Enumerations.Level),
  links: optional(
    Schema.Array(
      record("Link", {
        type: optional(Enumerations.LinkType),
        bladeName: text,
        extensionName: text,
        displayText: optional(record("DisplayText", { value: text, localizedValue: text })),
        parameters,
      }),
    ),
  ),
  platformInitiated: optional(Schema.Boolean),
  priority: optional(integer(0, 23)),
  reason: text,
  recommendedActions: optional(
    record("RecommendedActions", {
      message: text,
      localeCode: text,
      actions: optional(Schema.Array(record("RecommendedAction", { actionText: text, groupId: optional(int32) }))),
    }),
  ),
  status: optional(Enumerations.EventStatus),
  summary: text,
  title: text,
}
