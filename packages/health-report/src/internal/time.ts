/** Times as HTML elements. */
import * as Timestamp from "@vigil/health-schema/Timestamp"
import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import * as Labels from "../Labels.js"
import { type Html, html } from "./html.js"
import * as Moment from "./moment.js"

export const time = (millis: number, format: (millis: number) => string = Moment.minute): Html =>
  html`<time datetime="${new Date(millis).toISOString()}">${format(millis)}</time>`

export const timestamp = (timestamp: Timestamp.Timestamp | null | undefined): Html =>
  Option.match(Timestamp.instant(timestamp), {
    onNone: () => html`${Labels.orElse(timestamp, "unknown")}`,
    onSome: (instant) => time(DateTime.toEpochMillis(instant)),
  })
