/** One event in full, shown when it is opened. */
import type * as Impact from "@vigil/health-schema/Impact"
import type * as ApiVersion from "@vigil/health-schema/ApiVersion"
import * as OpenEnum from "@vigil/health-schema/OpenEnum"
import * as Sensitive from "@vigil/health-schema/Sensitive"
import * as Timestamp from "@vigil/health-schema/Timestamp"
import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import type { AnyEvent } from "../events/AnyEvent.js"
import * as PlainHtml from "../events/PlainHtml.js"
import * as Json from "../output/Json.js"
import { type Html, html, nothing } from "./Html.js"
import * as Palette from "./Palette.js"
import * as Prose from "./Prose.js"
import type { Item } from "./Subject.js"
import * as Labels from "./Labels.js"

type Region = Impact.ImpactedServiceRegion<ApiVersion.ApiVersion>

const fact = (name: string, value: Html | undefined): Html =>
  value === undefined
    ? nothing
    : html`<div>
        <dt>${name}</dt>
        <dd>${value}</dd>
      </div>`

const text = (value: string | null | undefined): Html | undefined => {
  const label = Labels.orElse(value, "")
  return label === "" ? undefined : html`${label}`
}

const moment = (value: Timestamp.Timestamp | null | undefined): Html | undefined =>
  Option.isNone(Timestamp.instant(value)) ? undefined : Labels.timestamp(value)

const facts = ({ event, severity }: Item): Html => {
  const properties = event.properties ?? {}
  const tags = Labels.distinct(properties.eventTags ?? [])
  return html`<dl class="facts">
    ${fact("Tracking ID", event.name ? html`<code>${event.name}</code>` : undefined)}
    ${fact("Status", html`${Labels.status(properties.status)}`)}
    ${fact("Level", html`<span class="${Palette.className(severity)}"><span class="pill">${Labels.level(event)}</span></span>`)}
    ${fact("Began", moment(properties.impactStartTime))} ${fact("Mitigated", moment(properties.impactMitigationTime))}
    ${fact("Updated", moment(properties.lastUpdateTime))} ${fact("Kind of impact", text(properties.impactType))}
    ${fact("Reason", text(properties.reason))} ${fact("Tags", tags.length === 0 ? undefined : html`${tags.join(", ")}`)}
  </dl>`
}

/** An ID that a shell does not interpret. */
const plainId = /^[\w-]+$/

const withheldNote = (event: AnyEvent): Html =>
  Sensitive.hasWithheldTexts(event)
    ? html`<p class="prose quiet">
        Lists withhold some texts of this event.
        ${
          event.name && plainId.test(event.name)
            ? html`<code>vigil events details ${event.name}</code>`
            : html`vigil events details`
        }
        shows them.
      </p>`
    : nothing

const regions = (event: AnyEvent): ReadonlyArray<readonly [service: string, region: Region]> =>
  (event.properties?.impact ?? []).flatMap(({ impactedRegions, impactedService }) =>
    (impactedRegions ?? []).map((region) => [impactedService ?? "", region] as const),
  )

const places = ({ event, severity }: Item): Html => {
  const services = (event.properties?.impact ?? []).map(({ impactedRegions, impactedService }) => {
    const where = (impactedRegions ?? []).map(
      ({ impactedRegion, status }) =>
        html`<li class="${Palette.className(OpenEnum.equals(status, "Active") ? severity : "Other")}">
          <span class="dot"></span>${Labels.orElse(impactedRegion, "Unknown region")}<span class="quiet"
            >${Labels.status(status)}</span
          >
        </li>`,
    )
    return html`<h4>${Labels.orElse(impactedService, "Unknown service")}</h4>
      ${
        where.length === 0
          ? html`<p class="quiet">Unknown region</p>`
          : html`<ul class="places">
              ${where}
            </ul>`
      }`
  })
  return html`${services}`
}

/** Regions may share a text: it is shown once, with its earliest time and all regions. */
const updates = (event: AnyEvent) => {
  const all = new Map<
    string,
    {
      readonly at: number
      readonly sent: Timestamp.Timestamp | null | undefined
      readonly regions: Set<string>
    }
  >()
  const texts = new Map<string, string>()
  for (const [, region] of regions(event))
    for (const { summary, updateDateTime } of region.updates ?? []) {
      const html = summary ?? ""
      const text = texts.get(html) ?? PlainHtml.text(html).trim()
      texts.set(html, text)
      if (text === "") continue
      const at = Option.match(Timestamp.instant(updateDateTime), { onNone: () => 0, onSome: DateTime.toEpochMillis })
      const before = all.get(text)
      const regions = before?.regions ?? new Set()
      const name = Labels.orElse(region.impactedRegion, "")
      if (name !== "") regions.add(name)
      const earliest = before === undefined || at < before.at ? { at, sent: updateDateTime } : before
      all.set(text, { ...earliest, regions })
    }
  return [...all].toSorted(([, a], [, b]) => b.at - a.at)
}

const timeline = (event: AnyEvent): Html => {
  const all = updates(event)
  if (all.length === 0) return nothing
  return html`<h4>Updates</h4>
    <ol class="updates">
      ${all.map(
        ([text, { regions, sent }]) =>
          html`<li>
            <span class="quiet"
              >${Labels.timestamp(sent)}${regions.size === 0 ? nothing : html` · ${[...regions].join(", ")}`}</span
            >
            <p class="prose" dir="auto">${Prose.inline(text)}</p>
          </li>`,
      )}
    </ol>`
}

const actions = (event: AnyEvent): Html => {
  const { actions, message } = event.properties?.recommendedActions ?? {}
  const texts = Labels.distinct((actions ?? []).map(({ actionText }) => PlainHtml.text(actionText ?? "")))
  if (texts.length === 0 && Labels.orElse(message, "") === "") return nothing
  return html`<h4>What to do</h4>
    ${Prose.block(message)}${
      texts.length === 0
        ? nothing
        : html`<ul>
            ${texts.map((text) => html`<li dir="auto">${Prose.inline(text)}</li>`)}
          </ul>`
    }`
}

const faqs = (event: AnyEvent): Html => {
  const all = event.properties?.faqs ?? []
  return all.length === 0
    ? nothing
    : html`<h4>Questions</h4>
        ${all.map(
          ({ answer, question }) =>
            html`<p class="prose" dir="auto"><strong>${Labels.orElse(question, "")}</strong></p>
              ${Prose.block(answer)}`,
        )}`
}

const links = (event: AnyEvent): Html => {
  const all = event.properties?.links ?? []
  return all.length === 0
    ? nothing
    : html`<h4>In the portal</h4>
        <ul>
          ${all.map(({ bladeName, displayText, extensionName, parameters }) => {
            const about = [
              Labels.distinct([extensionName, bladeName]).join(" / "),
              Json.pairs(parameters, ": "),
            ].filter((part) => part !== "")
            return html`<li dir="auto">
              ${Labels.orElse(displayText?.localizedValue ?? displayText?.value, "Link")}
              <span class="quiet">${Prose.inline(about.join("; "))}</span>
            </li>`
          })}
        </ul>`
}

const article = (event: AnyEvent): Html => {
  const content = event.properties?.article?.articleContent
  return Labels.orElse(content, "") === ""
    ? nothing
    : html`<h4>Article</h4>
        ${Prose.block(content)}`
}

export const render = (item: Item): Html => {
  const { event } = item
  const { additionalInformation, description, header, summary } = event.properties ?? {}
  return html`<div class="body" id="${item.anchor}">
    ${facts(item)}
    ${Prose.block(header)}${Prose.block(summary)}${Prose.block(description)}${Prose.block(additionalInformation?.message)}${withheldNote(event)}
    ${places(item)} ${timeline(event)} ${actions(event)} ${faqs(event)} ${article(event)} ${links(event)}
  </div>`
}
