/** The texts of an event in display order: the content of its HTML and of its text. */
import type { AnyEvent } from "@vigil/health-schema/HealthEvent"
import type * as Timestamp from "@vigil/health-schema/Timestamp"
import * as Labels from "@vigil/health-text/Labels"
import * as Moment from "@vigil/health-text/Moment"
import * as PlainHtml from "@vigil/health-text/PlainHtml"
import * as Predicate from "effect/Predicate"

/** A text may be HTML. */
export interface Part {
  readonly kind: "text" | "question" | "answer"
  readonly text: string
}

export interface Section {
  readonly title: string
  readonly parts: ReadonlyArray<Part>
  /** Items of a list, as plain text. */
  readonly items: ReadonlyArray<string>
}

/** `JSON.stringify` is recursive, so it throws if a value is nested too deeply. */
export const plain = (value: unknown): string => {
  if (typeof value === "string") return value
  try {
    return JSON.stringify(value)
  } catch {
    return "(nested too deeply to print)"
  }
}

const part = (text: string | null | undefined, kind: Part["kind"] = "text"): ReadonlyArray<Part> =>
  text === null || text === undefined || text.trim() === "" ? [] : [{ kind, text }]

const present = (sections: ReadonlyArray<Section>) =>
  sections.filter(({ items, parts }) => items.length > 0 || parts.length > 0)

/** What the event is about. */
export const introduction = ({ properties }: AnyEvent): ReadonlyArray<Section> =>
  present([
    { title: "Summary", parts: part(properties?.summary), items: [] },
    { title: "Description", parts: part(properties?.description), items: [] },
    { title: "Additional information", parts: part(properties?.additionalInformation?.message), items: [] },
  ])

/** The texts of buttons of the portal. They have no URLs. */
const links = ({ properties }: AnyEvent): ReadonlyArray<string> =>
  Labels.distinct((properties?.links ?? []).map(({ displayText }) => displayText?.localizedValue || displayText?.value))

export interface Update {
  readonly time: Timestamp.Timestamp | null | undefined
  /** 0 without an instant. */
  readonly millis: number
  readonly regions: ReadonlyArray<string>
  readonly tags: ReadonlyArray<string>
  /** Plain text. */
  readonly text: string
}

/** Only some versions of the API declare the tags of an update. */
const tagsOf = (update: object): ReadonlyArray<string> =>
  "eventTags" in update && Array.isArray(update.eventTags) ? update.eventTags.filter(Predicate.isString) : []

/** Regions often share times, and parsing one takes long. */
const earliest = (times: ReadonlyArray<Update["time"]>) =>
  [...new Set(times)]
    .map((time) => ({ time, millis: Moment.parse(time) ?? 0 }))
    .reduce((first, one) => (one.millis < first.millis ? one : first))

/** The updates that are not empty, latest first. Regions may share a text: it is listed once, with its earliest time and all regions. */
export const updates = ({ properties }: AnyEvent): ReadonlyArray<Update> => {
  const all = (properties?.impact ?? [])
    .flatMap(({ impactedRegions }) => impactedRegions ?? [])
    .flatMap(({ impactedRegion: region, updates }) => (updates ?? []).map((update) => ({ region, update })))
  return Array.from(
    Map.groupBy(all, ({ update }) => update.summary ?? ""),
    ([summary, own]) => ({
      ...earliest(own.map(({ update }) => update.updateDateTime)),
      regions: Labels.distinct(own.map(({ region }) => region)),
      tags: Labels.distinct(own.flatMap(({ update }) => tagsOf(update))),
      text: PlainHtml.text(summary).trim(),
    }),
  )
    .filter(({ tags, text }) => text !== "" || tags.length > 0)
    .toSorted((one, other) => other.millis - one.millis)
}

/** What follows the updates. */
export const details = (event: AnyEvent): ReadonlyArray<Section> => {
  const properties: NonNullable<AnyEvent["properties"]> = event.properties ?? {}
  const { article, faqs, recommendedActions } = properties
  // Only some versions of the API have it.
  const operation = "advisorRecommendations" in properties ? properties.advisorRecommendations : undefined
  const actions = (recommendedActions?.actions ?? []).map(({ actionText }) => PlainHtml.text(actionText ?? ""))
  return present([
    { title: "Recommended actions", parts: part(recommendedActions?.message), items: Labels.distinct(actions) },
    {
      title: "Advisor recommendations",
      parts: part(operation?.description),
      items: operation?.url ? [`${operation.httpMethod ?? ""} ${operation.url}`.trim()] : [],
    },
    {
      title: "Questions",
      parts: (faqs ?? []).flatMap(({ answer, question }) => [...part(question, "question"), ...part(answer, "answer")]),
      items: [],
    },
    { title: "In the portal", parts: [], items: links(event) },
    {
      title: ["Article", article?.articleId ?? ""].join(" ").trim(),
      parts: part(article?.articleContent),
      items: [],
    },
  ])
}
