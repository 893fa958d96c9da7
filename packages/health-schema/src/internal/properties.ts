/** The event properties that every version has. */
import * as Schema from "effect/Schema"
import * as Enumerations from "../Enumerations.js"
import * as Json from "../Json.js"
import * as Timestamp from "../Timestamp.js"
import { int32, integer, optional, record, text } from "./record.js"

/** The document defines a map of texts, but services send any JSON (field notes, "Payload oddities"). */
const parameters = Schema.optionalKey(Json.Json)

export const properties = {
  additionalInformation: optional(record("AdditionalInformation", { message: text })),
  article: optional(record("Article", { articleContent: text, articleId: text, parameters })),
  description: text,
  duration: optional(int32),
  enableChatWithUs: optional(Schema.Boolean),
  eventLevel: optional(Enumerations.EventLevel),
  eventSource: optional(Enumerations.EventSource),
  eventTags: optional(Schema.Array(Enumerations.EventTag)),
  externalIncidentId: text,
  faqs: optional(Schema.Array(record("Faq", { question: text, answer: text, localeCode: text }))),
  header: text,
  hirStage: text,
  impactMitigationTime: optional(Timestamp.Timestamp),
  impactStartTime: optional(Timestamp.Timestamp),
  impactType: text,
  isEventSensitive: optional(Schema.Boolean),
  isHIR: optional(Schema.Boolean),
  lastUpdateTime: optional(Timestamp.Timestamp),
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
