/** The filters of the list of events, which a script shows. */
import * as Region from "@vigil/health-schema/Region"
import * as Labels from "@vigil/health-text/Labels"
import * as Severity from "@vigil/health-text/Severity"
import { type Html, html } from "./html.js"
import type { Item } from "./items.js"

/** The maximum number of options of a filter. */
const maxOptions = 200

/** The values of `data-regions`: different spellings of a region are one. */
export const keys = (regions: ReadonlyArray<string>): string => Labels.distinct(regions.map(Region.normalize)).join(" ")

type Option = readonly [value: string, label: string]

const select = (name: string, options: Iterable<Option>): Html =>
  html`<label
    ><span>${name}</span>
    <select name="${name.toLowerCase()}">
      <option value="">All</option>
      ${Array.from(options, ([value, label]) => html`<option value="${value}">${label}</option>`)}
    </select></label
  >`

const sorted = (options: ReadonlyMap<string, string>): ReadonlyArray<Option> =>
  [...options].slice(0, maxOptions).toSorted(([, one], [, other]) => (one < other ? -1 : 1))

const same = (value: string): Option => [value, value]

export const render = (items: ReadonlyArray<Item>): Html => {
  const regions = items.flatMap(({ event }) => Labels.regions(event)).toReversed()
  return html`<div id="search" role="search" hidden>
    <label><span>Search</span> <input type="search" name="text" placeholder="Title, ID, service or region" /></label>
    ${select("Level", Severity.all.map(same))}
    ${select("Type", sorted(new Map(items.map(({ event }) => same(Labels.type(event))))))}
    ${select("Region", sorted(new Map(regions.map((name) => [Region.normalize(name), name]))))}
    <span class="quiet" role="status"></span>
  </div>`
}
