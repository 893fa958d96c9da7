/** The event properties that every version has. */
import * as Schema from "effect/Schema"
import * as Enumerations from "../Enumerations.js"
import * as Json from "../Json.js"
import * as Timestamp from "../Timestamp.js"
import { int32, integer, optional, record } from "./record.js"

/** The document defines a map of texts, but services send any JSON (field notes, "Payload oddities"). */
const parameters = Schema.optionalWith(Json.Json, { exact: true })

export const properties = {
  additionalInformation: optional(record("AdditionalInformation", { message: optional(Schema.String) })),
  article: optional(
    record("Article", {
      articleContent: optional(Schema.String),
      articleId: optional(Schema.String),
      parameters,
    }),
  ),
  description: optional(Schema.String),
  duration: optional(int32),
  enableChatWithUs: optional(Schema.Boolean),
  eventLevel: optional(Enumerations.EventLevel),
  eventSource: optional(Enumerations.EventSource),
  eventTags: optional(Schema.Array(Enumerations.EventTag)),
  externalIncidentId: optional(Schema.String),
  faqs: optional(
    Schema.Array(
      record("Faq", {
        question: optional(Schema.String),
        answer: optional(Schema.String),
        localeCode: optional(Schema.String),
      }),
    ),
  ),
  header: optional(Schema.String),
  hirStage: optional(Schema.String),
  impactMitigationTime: optional(Timestamp.Timestamp),
  impactStartTime: optional(Timestamp.Timestamp),
  impactType: optional(Schema.String),
  isEventSensitive: optional(Schema.Boolean),
  isHIR: optional(Schema.Boolean),
  lastUpdateTime: optional(Timestamp.Timestamp),
  level: optional(Enumerations.Level),
  links: optional(
    Schema.Array(
      record("Link", {
        type: optional(Enumerations.LinkType),
        bladeName: optional(Schema.String),
        extensionName: optional(Schema.String),
        displayText: optional(
          record("DisplayText", { value: optional(Schema.String), localizedValue: optional(Schema.String) }),
        ),
        parameters,
      }),
    ),
  ),
  platformInitiated: optional(Schema.Boolean),
  priority: optional(integer(0, 23)),
  reason: optional(Schema.String),
  recommendedActions: optional(
    record("RecommendedActions", {
      message: optional(Schema.String),
      localeCode: optional(Schema.String),
      actions: optional(
        Schema.Array(record("RecommendedAction", { actionText: optional(Schema.String), groupId: optional(int32) })),
      ),
    }),
  ),
  status: optional(Enumerations.EventStatus),
  summary: optional(Schema.String),
  title: optional(Schema.String),
}
