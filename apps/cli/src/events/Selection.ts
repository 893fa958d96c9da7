/** Which events of a list are wanted. The flags are compared here; the service gets the expression of `--filter` alone. */
import * as Options from "@effect/cli/Options"
import type * as ApiVersion from "@vigil/health-schema/ApiVersion"
import * as Enumerations from "@vigil/health-schema/Enumerations"
import * as Events from "@vigil/health-schema/Events"
import type * as HealthEvent from "@vigil/health-schema/HealthEvent"
import * as OpenEnum from "@vigil/health-schema/OpenEnum"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { UsageError } from "../Failure.js"
import * as Severity from "./Severity.js"
import * as Source from "./Source.js"

type AnyEvent = HealthEvent.HealthEvent<ApiVersion.ApiVersion>
type AnyProperties = HealthEvent.Properties<ApiVersion.ApiVersion>

const types = Enumerations.EventType
const levels = Enumerations.EventLevel
const statuses = Enumerations.EventStatus

const some = (name: string, description: string) =>
  Options.text(name).pipe(
    Options.withDescription(`${description} Given several times, any of them will do.`),
    Options.withPseudoName(name),
    Options.repeated,
  )

/** The flags: of one flag any value will do, of several flags all must hold. */
export const flags = {
  type: some("type", `Only events of this type: ${types.known.join(", ")}.`),
  level: some("level", `Only events of this level: ${levels.known.join(", ")}.`),
  status: some("status", `Only events of this status: ${statuses.known.join(" or ")}.`),
  service: some("service", "Only events that concern this service, by its name in any case."),
  region: some(
    "region",
    "Only events that concern this region, such as westeurope; with --service, the service in it.",
  ),
  filter: Source.filter,
}

/** The flags as they were given. */
export interface Flags {
  readonly type: ReadonlyArray<string>
  readonly level: ReadonlyArray<string>
  readonly status: ReadonlyArray<string>
  readonly service: ReadonlyArray<string>
  readonly region: ReadonlyArray<string>
  readonly filter: Option.Option<string>
}

/** What is wanted. */
export interface Selection {
  /** The expression that is sent to the service. */
  readonly filter: string | undefined
  /** Whether an event is wanted; nothing when all are. */
  readonly wants: ((event: AnyEvent) => boolean) | undefined
}

type Test = (event: AnyEvent) => boolean

const invalid = (flag: string, value: string, form: string) =>
  new UsageError({ message: `--${flag} ${JSON.stringify(value)} is not valid: give ${form}.` })

/** A test for the values of a flag, none for none. They are compared without regard to case. */
const choice = <Known extends string>(
  flag: string,
  values: ReadonlyArray<string>,
  enumeration: OpenEnum.Enumeration<Known>,
  of: (properties: AnyProperties) => string | null | undefined,
): Effect.Effect<ReadonlyArray<Test>, UsageError> =>
  Effect.gen(function* () {
    const wanted = new Set<string>()
    for (const value of values) {
      const known = OpenEnum.find(enumeration, value)
      if (known === undefined) return yield* invalid(flag, value, `one of ${enumeration.known.join(", ")}`)
      wanted.add(known)
    }
    return wanted.size === 0
      ? []
      : [({ properties }) => wanted.has(OpenEnum.find(enumeration, of(properties ?? {})) ?? "")]
  })

const places = ({ region, service }: Flags): ReadonlyArray<Test> => {
  const regions = region.length === 0 ? [undefined] : region
  const wanted = (service.length === 0 ? [undefined] : service).flatMap((service) =>
    regions.map((region) => ({ service, region })),
  )
  return service.length + region.length === 0 ? [] : [(event) => wanted.some((place) => Events.concerns(event, place))]
}

const expectNames = (flag: "service" | "region", names: ReadonlyArray<string>) =>
  names.some((name) => name.trim() === "") ? invalid(flag, "", "a name") : Effect.void

/** What the flags ask for. A value that stands for none of the known ones is a `UsageError`. */
export const parse = (flags: Flags): Effect.Effect<Selection, UsageError> =>
  Effect.gen(function* () {
    yield* expectNames("service", flags.service)
    yield* expectNames("region", flags.region)
    const tests = [
      ...(yield* choice("type", flags.type, types, ({ eventType }) => eventType)),
      ...(yield* choice("level", flags.level, levels, Severity.sent)),
      ...(yield* choice("status", flags.status, statuses, ({ status }) => status)),
      ...places(flags),
    ]
    return {
      filter: Option.getOrUndefined(flags.filter),
      wants: tests.length === 0 ? undefined : (event) => tests.every((test) => test(event)),
    }
  })
