/** One event in full, shown when it is opened. */
import * as HealthEvent from "@vigil/health-schema/HealthEvent"
import * as Sensitive from "@vigil/health-schema/Sensitive"
import type { AnyEvent } from "@vigil/health-schema/HealthEvent"
import * as PlainHtml from "../PlainHtml.js"
import * as Contents from "./contents.js"
import { type Html, html, nothing, time, timestamp } from "./html.js"
import * as Moment from "./moment.js"
import * as Palette from "./palette.js"
import * as Prose from "./prose.js"
import type { Item } from "./items.js"
import * as Labels from "../Labels.js"

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

const moment = (millis: number | undefined): Html | undefined => (millis === undefined ? undefined : time(millis))

const facts = ({ anchor, event, interval, level, mitigated, severity, updated }: Item): Html => {
  const properties = event.properties ?? {}
  const tags = Labels.distinct(properties.eventTags ?? [])
  return html`<dl class="facts">
    ${fact("Status", html`${Labels.status(properties.status)}`)}
    ${fact("Level", html`<span class="${Palette.className(severity)}"><span class="pill">${level}</span></span>`)}
    ${fact("Start", moment(interval?.start ?? Moment.parse(properties.impactStartTime)))}
    ${fact("End", moment(mitigated))} ${fact("Updated", moment(updated))}
    ${fact("Kind of impact", text(properties.impactType))} ${fact("Reason", text(properties.reason))}
    ${fact("Tags", tags.length === 0 ? undefined : html`${tags.join(", ")}`)}
    ${fact("Link", html`<a href="#${anchor}">This event</a>`)}
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
            ? html`<code>vigil events show ${event.name} --details</code>`
            : html`vigil events show --details`
        }
        shows them.
      </p>`
    : nothing

const places = ({ event, severity }: Item): Html => {
  const isOver = (status: string | null | undefined) =>
    HealthEvent.isResolvedStatus(Labels.orElse(status, event.properties?.status ?? ""))
  const services = (event.properties?.impact ?? []).map(({ impactedRegions, impactedService }) => {
    const where = (impactedRegions ?? []).map(
      ({ impactedRegion, status }) =>
        html`<li class="${Palette.className(isOver(status) ? "Other" : severity)}">
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
  const texts = new Map<string, string>()
  const toText = (html: string) => {
    const text = texts.get(html) ?? PlainHtml.text(html).trim()
    texts.set(html, text)
    return text
  }
  const all = (event.properties?.impact ?? [])
    .flatMap(({ impactedRegions }) => impactedRegions ?? [])
    .flatMap(({ impactedRegion, updates }) =>
      (updates ?? []).map(({ summary, updateDateTime: sent }) => {
        const millis = Moment.parse(sent)
        return { text: toText(summary ?? ""), region: impactedRegion, sent, millis }
      }),
    )
    .filter(({ text }) => text !== "")
  return Array.from(
    Map.groupBy(all, ({ text }) => text),
    ([text, own]) => {
      const { millis, sent } = own.reduce((first, one) => ((one.millis ?? 0) < (first.millis ?? 0) ? one : first))
      return { text, sent, millis, regions: Labels.distinct(own.map(({ region }) => region)) }
    },
  ).toSorted((a, b) => (b.millis ?? 0) - (a.millis ?? 0))
}

const timeline = (event: AnyEvent): Html => {
  const all = updates(event)
  if (all.length === 0) return nothing
  return html`<h4>Updates</h4>
    <ol class="updates">
      ${all.map(
        ({ millis, regions, sent, text }) =>
          html`<li>
            <span class="quiet"
              >${timestamp(sent, millis)}${regions.length === 0 ? nothing : html` · ${regions.join(", ")}`}</span
            >
            <p class="prose" dir="auto">${Prose.inline(text)}</p>
          </li>`,
      )}
    </ol>`
}

const part = ({ kind, text }: Contents.Part): Html =>
  kind === "question" ? html`<p class="prose" dir="auto"><strong>${text}</strong></p>` : Prose.block(text)

const section = ({ items, parts, title }: Contents.Section): Html =>
  html`<h4>${title}</h4>
    ${parts.map(part)}${
      items.length === 0
        ? nothing
        : html`<ul>
            ${items.map((item) => html`<li dir="auto">${Prose.inline(item)}</li>`)}
          </ul>`
    }`

export const render = (item: Item): Html => {
  const { anchor, event } = item
  return html`<div class="body" id="${anchor}">
    ${facts(item)}
    ${Prose.block(event.properties?.header)}${Contents.introduction(event).flatMap(({ parts }) => parts.map(part))}${withheldNote(event)}
    ${places(item)} ${timeline(event)} ${Contents.details(event).map(section)}
  </div>`
}
