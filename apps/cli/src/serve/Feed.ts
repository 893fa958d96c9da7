/** The latest events as a feed (Atom, RFC 4287). */
import type { AnyEvent } from "../events/AnyEvent.js"
import type { Snapshot } from "../events/Snapshot.js"
import { html, print, raw } from "../report/Html.js"
import * as Labels from "../report/Labels.js"
import * as Digest from "./Digest.js"
import * as EventId from "./EventId.js"

const maxEntries = 200

/** The IDs stay the same when the server moves to another URL (RFC 4151). */
const tag = "tag:vigil-effect.github.io,2026"

const updated = ({ properties }: AnyEvent): number =>
  Digest.time(properties?.lastUpdateTime) ?? Digest.time(properties?.impactStartTime) ?? 0

const iso = (millis: number): string => new Date(millis).toISOString()

const entry = (id: string, event: AnyEvent) => {
  const { eventType, status } = event.properties ?? {}
  const terms = Labels.distinct([eventType, Labels.level(event), status]).map((term) => Digest.line(term))
  return html`<entry>
    <id>${tag}:event/${id}</id>
    <title type="text">${Digest.title(event)}</title>
    <updated>${iso(updated(event))}</updated>
    <link rel="alternate" type="application/json" href="events/${id}" />
    ${terms.map((term) => html`<category term="${term}" />`)}
    <content type="text">${Digest.text(event)}</content>
  </entry> `
}

/** The latest events first. Events without an ID are left out: readers could not tell them apart. */
export const make = ({ events, source }: Snapshot): string => {
  const entries = [...EventId.index(events)]
    .toSorted(([, one], [, other]) => updated(other) - updated(one))
    .slice(0, maxEntries)
  const [[, latest] = []] = entries
  const name = Digest.line(source)
  return print(
    html`${raw('<?xml version="1.0" encoding="utf-8"?>')}
      <feed xmlns="http://www.w3.org/2005/Atom">
        <id>${tag}:feed/${encodeURIComponent(name)}</id>
        <title type="text">Service health: ${name}</title>
        <updated>${iso(latest === undefined ? 0 : updated(latest))}</updated>
        <author><name>vigil</name></author>
        <link rel="self" type="application/atom+xml" href="feed.atom" />
        <link rel="alternate" type="text/html" href="./" />
        ${entries.map(([id, event]) => entry(id, event))}
      </feed> `,
  )
}
