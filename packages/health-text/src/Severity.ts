/** The severity of events. */
import * as Enumerations from "@vigil/health-schema/Enumerations"
import * as HealthEvent from "@vigil/health-schema/HealthEvent"
import * as OpenEnum from "@vigil/health-schema/OpenEnum"
import type * as TerminalText from "./TerminalText.js"

/** The levels, highest first. `Other` stands for unknown levels. @category constants @since 0.2.0 */
export const all = ["Critical", "Error", "Warning", "Informational", "Other"] as const

/** One of the levels. @category models @since 0.2.0 */
export type Severity = (typeof all)[number]

/** Returns the level as sent: the first known one of `eventLevel` and `level`, else the first that is not empty. @category getters @since 0.2.0 */
export const level = ({ properties }: HealthEvent.AnyEvent): string | undefined => {
  const sent = [properties?.eventLevel, properties?.level].flatMap((text) => text || [])
  return sent.find((text) => OpenEnum.find(Enumerations.EventLevel, text) !== undefined) ?? sent[0]
}

/** Returns the known level of an event, else `Other`. @category getters @since 0.2.0 */
export const fromEvent = (event: HealthEvent.AnyEvent): Severity => HealthEvent.knownLevel(event) ?? "Other"

/** Returns 0 for the highest level and 4 for `Other`. @category comparing @since 0.2.0 */
export const rank = (severity: Severity): number => all.indexOf(severity)

/** Returns the highest level; `Other` without levels. @category comparing @since 0.2.0 */
export const worst = (severities: ReadonlyArray<Severity>): Severity =>
  severities.reduce<Severity>((worst, one) => (rank(one) < rank(worst) ? one : worst), "Other")

const colors: Readonly<Record<string, TerminalText.Color>> = {
  Critical: "magenta",
  Error: "red",
  Warning: "yellow",
  Informational: "dim",
}

/** Returns the color of a level in a terminal, also of a level as sent. @category getters @since 0.2.0 */
export const color = (level: string): TerminalText.Color | undefined =>
  colors[OpenEnum.find(Enumerations.EventLevel, level) ?? ""]
