/** The impact of an event as text: services, regions and updates, latest first. */
import type * as ApiVersion from "@vigil/health-schema/ApiVersion"
import type * as Impact from "@vigil/health-schema/Impact"
import * as Timestamp from "@vigil/health-schema/Timestamp"
import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import * as Wrap from "../Wrap.js"
import * as Labels from "../Labels.js"
import * as PlainHtml from "../PlainHtml.js"

type AnyImpact = Impact.Impact<ApiVersion.ApiVersion>
type AnyRegion = Impact.ImpactedServiceRegion<ApiVersion.ApiVersion>
type AnyUpdate = Impact.Update<ApiVersion.ApiVersion>

interface Options {
  readonly width: number | undefined
}

type Lines = ReadonlyArray<string>

const [serviceIndent, regionIndent, updateIndent, textIndent] = [2, 4, 6, 8].map((count) => " ".repeat(count))

const millis = ({ updateDateTime }: AnyUpdate): number =>
  Option.match(Timestamp.instant(updateDateTime), { onNone: () => -Infinity, onSome: DateTime.toEpochMillis })

const latestFirst = (updates: ReadonlyArray<AnyUpdate>): ReadonlyArray<AnyUpdate> =>
  updates.toSorted((a, b) => {
    const [one, other] = [millis(a), millis(b)]
    return one === other ? 0 : other - one
  })

const utc = (timestamp: Timestamp.Timestamp | null | undefined): string =>
  Labels.minute(timestamp) + (Option.isSome(Timestamp.instant(timestamp)) ? " UTC" : "")

const update = (one: AnyUpdate, { width }: Options): Lines => {
  const tags = "eventTags" in one && Array.isArray(one.eventTags) ? one.eventTags : []
  return [
    ...Wrap.lines([utc(one.updateDateTime) || "at an unknown time", ...tags].join(", "), width, updateIndent),
    ...Wrap.lines(PlainHtml.text(one.summary ?? ""), width, textIndent),
  ]
}

const people = (noun: string, ids: ReadonlyArray<string> | null | undefined, { width }: Options): Lines =>
  ids === null || ids === undefined || ids.length === 0
    ? []
    : Wrap.lines(`${noun}: ${ids.join(", ")}`, width, updateIndent)

const region = (one: AnyRegion, options: Options): Lines => {
  const { impactedRegion, impactedSubscriptions, impactedTenants, lastUpdateTime, status, updates } = one
  const updated = utc(lastUpdateTime)
  const parts = [impactedRegion || "Unknown region", status ?? "", updated === "" ? "" : `updated ${updated}`]
  return [
    ...Wrap.lines(parts.filter((part) => part !== "").join(", "), options.width, regionIndent),
    ...people("Subscriptions", impactedSubscriptions, options),
    ...people("Tenants", impactedTenants, options),
    ...latestFirst(updates ?? []).flatMap((one) => update(one, options)),
  ]
}

export const lines = (impact: ReadonlyArray<AnyImpact>, options: Options): Lines =>
  impact.flatMap(({ impactedRegions, impactedService, impactedServiceGuid }) => [
    ...Wrap.lines(
      impactedServiceGuid
        ? `${impactedService || "Unknown service"} (${impactedServiceGuid})`
        : impactedService || "Unknown service",
      options.width,
      serviceIndent,
    ),
    ...(impactedRegions ?? []).flatMap((one) => region(one, options)),
  ])
