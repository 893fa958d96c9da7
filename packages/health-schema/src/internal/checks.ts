/**
 * Generated from the schemas. After changing those, run `npx vitest run health-schema/test/checks --update`.
 *
 * These checks accept valid values only. The schema, which takes several times as long, decides about values that they reject.
 */
import { type Fields, isAbsent, isFlag, isListOf, isNumber, isRecord, isString, isText, isTime, isWhole } from "./checkField.js"
import type { Version } from "./versions.js"

const isSystemData = (input: unknown): boolean =>
  isRecord(input) &&
  isTime(input["createdAt"], "createdAt", input) &&
  isText(input["createdBy"], "createdBy", input) &&
  isText(input["createdByType"], "createdByType", input) &&
  isTime(input["lastModifiedAt"], "lastModifiedAt", input) &&
  isText(input["lastModifiedBy"], "lastModifiedBy", input) &&
  isText(input["lastModifiedByType"], "lastModifiedByType", input)

const isAdditionalInformation = (input: unknown): boolean =>
  isRecord(input) &&
  isText(input["message"], "message", input)

const isArticle = (input: unknown): boolean =>
  isRecord(input) &&
  isText(input["articleContent"], "articleContent", input) &&
  isText(input["articleId"], "articleId", input)

const isFaq = (input: unknown): boolean =>
  isRecord(input) &&
  isText(input["question"], "question", input) &&
  isText(input["answer"], "answer", input) &&
  isText(input["localeCode"], "localeCode", input)

const isDisplayText = (input: unknown): boolean =>
  isRecord(input) &&
  isText(input["value"], "value", input) &&
  isText(input["localizedValue"], "localizedValue", input)

const isLink = (input: unknown): boolean =>
  isRecord(input) &&
  isText(input["type"], "type", input) &&
  isText(input["bladeName"], "bladeName", input) &&
  isText(input["extensionName"], "extensionName", input) &&
  (isDisplayText(input["displayText"]) || isAbsent(input["displayText"], "displayText", input))

const isRecommendedAction = (input: unknown): boolean =>
  isRecord(input) &&
  isText(input["actionText"], "actionText", input) &&
  isWhole(input["groupId"], "groupId", input, -2147483648, 2147483647)

const isRecommendedActions = (input: unknown): boolean =>
  isRecord(input) &&
  isText(input["message"], "message", input) &&
  isText(input["localeCode"], "localeCode", input) &&
  isListOf(input["actions"], "actions", input, isRecommendedAction)

const isUpdate20260801preview = (input: unknown): boolean =>
  isRecord(input) &&
  isText(input["summary"], "summary", input) &&
  isTime(input["updateDateTime"], "updateDateTime", input) &&
  isListOf(input["eventTags"], "eventTags", input, isString)

const isImpactedServiceRegion20260801preview = (input: unknown): boolean =>
  isRecord(input) &&
  isText(input["impactedRegion"], "impactedRegion", input) &&
  isListOf(input["impactedSubscriptions"], "impactedSubscriptions", input, isString) &&
  isListOf(input["impactedTenants"], "impactedTenants", input, isString) &&
  isTime(input["lastUpdateTime"], "lastUpdateTime", input) &&
  isText(input["status"], "status", input) &&
  isListOf(input["updates"], "updates", input, isUpdate20260801preview)

const isImpact20260801preview = (input: unknown): boolean =>
  isRecord(input) &&
  isText(input["impactedService"], "impactedService", input) &&
  isText(input["impactedServiceGuid"], "impactedServiceGuid", input) &&
  isListOf(input["impactedRegions"], "impactedRegions", input, isImpactedServiceRegion20260801preview)

const isPropertiesCommon = (input: Fields, support: string): boolean =>
  (isAdditionalInformation(input["additionalInformation"]) || isAbsent(input["additionalInformation"], "additionalInformation", input)) &&
  (isArticle(input["article"]) || isAbsent(input["article"], "article", input)) &&
  isText(input["description"], "description", input) &&
  isWhole(input["duration"], "duration", input, -2147483648, 2147483647) &&
  isFlag(input["enableChatWithUs"], "enableChatWithUs", input) &&
  isText(input["eventLevel"], "eventLevel", input) &&
  isText(input["eventSource"], "eventSource", input) &&
  isListOf(input["eventTags"], "eventTags", input, isString) &&
  isText(input["externalIncidentId"], "externalIncidentId", input) &&
  isListOf(input["faqs"], "faqs", input, isFaq) &&
  isText(input["header"], "header", input) &&
  isText(input["hirStage"], "hirStage", input) &&
  isTime(input["impactMitigationTime"], "impactMitigationTime", input) &&
  isTime(input["impactStartTime"], "impactStartTime", input) &&
  isText(input["impactType"], "impactType", input) &&
  isFlag(input["isEventSensitive"], "isEventSensitive", input) &&
  isFlag(input["isHIR"], "isHIR", input) &&
  isTime(input["lastUpdateTime"], "lastUpdateTime", input) &&
  isText(input["level"], "level", input) &&
  isListOf(input["links"], "links", input, isLink) &&
  isFlag(input["platformInitiated"], "platformInitiated", input) &&
  isWhole(input["priority"], "priority", input, 0, 23) &&
  isText(input["reason"], "reason", input) &&
  (isRecommendedActions(input["recommendedActions"]) || isAbsent(input["recommendedActions"], "recommendedActions", input)) &&
  isText(input["status"], "status", input) &&
  isText(input["summary"], "summary", input) &&
  isText(input["title"], "title", input) &&
  isText(input["eventType"], "eventType", input) &&
  isFlag(input[support], support, input)

const isProperties20260801preview = (input: unknown, support: string): boolean =>
  isRecord(input) &&
  isPropertiesCommon(input, support) &&
  isText(input["billingId"], "billingId", input) &&
  isText(input["currencyType"], "currencyType", input) &&
  isText(input["eventSubType"], "eventSubType", input) &&
  isNumber(input["newRate"], "newRate", input) &&
  isNumber(input["oldRate"], "oldRate", input) &&
  isText(input["argQuery"], "argQuery", input) &&
  isText(input["maintenanceId"], "maintenanceId", input) &&
  isText(input["maintenanceType"], "maintenanceType", input) &&
  isListOf(input["impact"], "impact", input, isImpact20260801preview)

const isHealthEvent20260801preview = (input: unknown, support: string): boolean =>
  isRecord(input) &&
  isText(input["id"], "id", input) &&
  isText(input["name"], "name", input) &&
  isText(input["type"], "type", input) &&
  (isSystemData(input["systemData"]) || isAbsent(input["systemData"], "systemData", input)) &&
  (isProperties20260801preview(input["properties"], support) || isAbsent(input["properties"], "properties", input))

const isApiOperationLink = (input: unknown): boolean =>
  isRecord(input) &&
  isText(input["description"], "description", input) &&
  isText(input["httpMethod"], "httpMethod", input) &&
  isText(input["url"], "url", input)

const isProperties20260701 = (input: unknown, support: string): boolean =>
  isRecord(input) &&
  isPropertiesCommon(input, support) &&
  isText(input["billingId"], "billingId", input) &&
  isText(input["currencyType"], "currencyType", input) &&
  isText(input["eventSubType"], "eventSubType", input) &&
  isNumber(input["newRate"], "newRate", input) &&
  isNumber(input["oldRate"], "oldRate", input) &&
  (isApiOperationLink(input["advisorRecommendations"]) || isAbsent(input["advisorRecommendations"], "advisorRecommendations", input)) &&
  isListOf(input["impact"], "impact", input, isImpact20260801preview)

const isHealthEvent20260701 = (input: unknown, support: string): boolean =>
  isRecord(input) &&
  isText(input["id"], "id", input) &&
  isText(input["name"], "name", input) &&
  isText(input["type"], "type", input) &&
  (isSystemData(input["systemData"]) || isAbsent(input["systemData"], "systemData", input)) &&
  (isProperties20260701(input["properties"], support) || isAbsent(input["properties"], "properties", input))

const isProperties20250501 = (input: unknown, support: string): boolean =>
  isRecord(input) &&
  isPropertiesCommon(input, support) &&
  isText(input["billingId"], "billingId", input) &&
  isText(input["currencyType"], "currencyType", input) &&
  isText(input["eventSubType"], "eventSubType", input) &&
  isNumber(input["newRate"], "newRate", input) &&
  isNumber(input["oldRate"], "oldRate", input) &&
  isListOf(input["impact"], "impact", input, isImpact20260801preview)

const isHealthEvent20250501 = (input: unknown, support: string): boolean =>
  isRecord(input) &&
  isText(input["id"], "id", input) &&
  isText(input["name"], "name", input) &&
  isText(input["type"], "type", input) &&
  isText(input["location"], "location", input) &&
  (isProperties20250501(input["properties"], support) || isAbsent(input["properties"], "properties", input))

const isUpdate20250401 = (input: unknown): boolean =>
  isRecord(input) &&
  isText(input["summary"], "summary", input) &&
  isTime(input["updateDateTime"], "updateDateTime", input)

const isImpactedServiceRegion20250401 = (input: unknown): boolean =>
  isRecord(input) &&
  isText(input["impactedRegion"], "impactedRegion", input) &&
  isListOf(input["impactedSubscriptions"], "impactedSubscriptions", input, isString) &&
  isListOf(input["impactedTenants"], "impactedTenants", input, isString) &&
  isTime(input["lastUpdateTime"], "lastUpdateTime", input) &&
  isText(input["status"], "status", input) &&
  isListOf(input["updates"], "updates", input, isUpdate20250401)

const isImpact20250401 = (input: unknown): boolean =>
  isRecord(input) &&
  isText(input["impactedService"], "impactedService", input) &&
  isText(input["impactedServiceGuid"], "impactedServiceGuid", input) &&
  isListOf(input["impactedRegions"], "impactedRegions", input, isImpactedServiceRegion20250401)

const isProperties20250401 = (input: unknown, support: string): boolean =>
  isRecord(input) &&
  isPropertiesCommon(input, support) &&
  isListOf(input["impact"], "impact", input, isImpact20250401)

const isHealthEvent20250401 = (input: unknown, support: string): boolean =>
  isRecord(input) &&
  isText(input["id"], "id", input) &&
  isText(input["name"], "name", input) &&
  isText(input["type"], "type", input) &&
  (isSystemData(input["systemData"]) || isAbsent(input["systemData"], "systemData", input)) &&
  (isProperties20250401(input["properties"], support) || isAbsent(input["properties"], "properties", input))

const isRecentlyResolved = (input: unknown): boolean =>
  isRecord(input) &&
  isTime(input["unavailableOccuredTime"], "unavailableOccuredTime", input) &&
  isTime(input["resolvedTime"], "resolvedTime", input) &&
  isText(input["unavailableSummary"], "unavailableSummary", input)

const isResourceAction = (input: unknown): boolean =>
  isRecord(input) &&
  isText(input["action"], "action", input) &&
  isText(input["actionUrl"], "actionUrl", input) &&
  isText(input["_ActionUrl.Comment"], "_ActionUrl.Comment", input) &&
  isText(input["actionUrlText"], "actionUrlText", input)

const isServiceImpactingEventStatus = (input: unknown): boolean =>
  isRecord(input) &&
  isText(input["value"], "value", input)

const isIncidentProperties = (input: unknown): boolean =>
  isRecord(input) &&
  isText(input["title"], "title", input) &&
  isText(input["service"], "service", input) &&
  isText(input["region"], "region", input) &&
  isText(input["incidentType"], "incidentType", input)

const isServiceImpactingEvent = (input: unknown): boolean =>
  isRecord(input) &&
  isTime(input["eventStartTime"], "eventStartTime", input) &&
  isTime(input["eventStatusLastModifiedTime"], "eventStatusLastModifiedTime", input) &&
  isText(input["correlationId"], "correlationId", input) &&
  (isServiceImpactingEventStatus(input["status"]) || isAbsent(input["status"], "status", input)) &&
  (isIncidentProperties(input["incidentProperties"]) || isAbsent(input["incidentProperties"], "incidentProperties", input))

const isAvailabilityStatusProperties = (input: unknown): boolean =>
  isRecord(input) &&
  isText(input["availabilityState"], "availabilityState", input) &&
  isText(input["title"], "title", input) &&
  isText(input["summary"], "summary", input) &&
  isText(input["detailedStatus"], "detailedStatus", input) &&
  isText(input["reasonType"], "reasonType", input) &&
  isText(input["context"], "context", input) &&
  isText(input["category"], "category", input) &&
  isText(input["articleId"], "articleId", input) &&
  isTime(input["rootCauseAttributionTime"], "rootCauseAttributionTime", input) &&
  isText(input["healthEventType"], "healthEventType", input) &&
  isText(input["healthEventCause"], "healthEventCause", input) &&
  isText(input["healthEventCategory"], "healthEventCategory", input) &&
  isText(input["healthEventId"], "healthEventId", input) &&
  isTime(input["resolutionETA"], "resolutionETA", input) &&
  isTime(input["occuredTime"], "occuredTime", input) &&
  isText(input["reasonChronicity"], "reasonChronicity", input) &&
  isTime(input["reportedTime"], "reportedTime", input) &&
  (isRecentlyResolved(input["recentlyResolved"]) || isAbsent(input["recentlyResolved"], "recentlyResolved", input)) &&
  isListOf(input["recommendedActions"], "recommendedActions", input, isResourceAction) &&
  isListOf(input["serviceImpactingEvents"], "serviceImpactingEvents", input, isServiceImpactingEvent)

const isAvailabilityStatus = (input: unknown): boolean =>
  isRecord(input) &&
  isText(input["id"], "id", input) &&
  isText(input["name"], "name", input) &&
  isText(input["type"], "type", input) &&
  isText(input["location"], "location", input) &&
  (isAvailabilityStatusProperties(input["properties"]) || isAbsent(input["properties"], "properties", input))

/** The checks of events, by version. `support` is the field `enable<vendor>Support`. */
export const checks: Readonly<Record<Version, (input: unknown, support: string) => boolean>> = {
  "2026-08-01-preview": isHealthEvent20260801preview,
  "2026-07-01": isHealthEvent20260701,
  "2025-05-01": isHealthEvent20250501,
  "2025-04-01": isHealthEvent20250401,
}

export { isAvailabilityStatus }
