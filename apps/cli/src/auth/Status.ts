/** `vigil auth status`: the user, the place and the expiry of each token. Never prints a token. */
import type * as HttpClient from "@effect/platform/HttpClient"
import * as AppManagement from "@vigil/appmgmt-client/AppManagement"
import type * as User from "@vigil/appmgmt-client/User"
import * as RetryPolicy from "@vigil/core-http/RetryPolicy"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import * as Command from "../Command.js"
import * as Failure from "../Failure.js"
import * as Flag from "../Flag.js"
import * as Format from "../output/Format.js"
import * as Connection from "../settings/Connection.js"
import * as ServiceName from "../settings/ServiceName.js"
import * as Settings from "../settings/Settings.js"
import type * as Token from "./Token.js"

/** `unchecked`: there is a token, but the service could not be reached. `until` is ISO 8601. */
interface Standing {
  readonly service: ServiceName.ServiceName
  readonly state: "signed in" | "not signed in" | "expired" | "refused" | "unchecked"
  readonly address?: string
  readonly from?: Token.From
  readonly until?: string
  readonly user?: User.User
  readonly who?: string
  readonly advice?: string
}

const nameOf = ({ display_name: displayName, email, name }: User.User): string =>
  [displayName ?? name ?? "", email === undefined || email === null ? "" : `<${email}>`].join(" ").trim()

const askedWho = (
  standing: Standing,
  baseUrl: string,
  { token }: Extract<Token.Found, { _tag: "Token" }>,
): Effect.Effect<Standing, never, HttpClient.HttpClient> =>
  AppManagement.make({ baseUrl, apiToken: token, retry: RetryPolicy.none }).pipe(
    Effect.flatMap(({ user }) => user),
    Effect.scoped,
    Effect.match({
      onSuccess: (user): Standing => ({ ...standing, user, who: nameOf(user) }),
      onFailure: (error): Standing => ({
        ...standing,
        state: error._tag === "Unauthorized" ? "refused" : "unchecked",
        advice: Failure.plain(error),
      }),
    }),
  )

const check = ({ address, found, service }: Connection.Access): Effect.Effect<Standing, never, HttpClient.HttpClient> =>
  Effect.gen(function* () {
    const { address: key, login, title, token: variable } = ServiceName.facts[service]
    const none = { service, state: "not signed in" } as const
    if (Option.isNone(address))
      return {
        ...none,
        advice:
          found._tag === "Elsewhere"
            ? `A token of ${title} is kept for ${found.origin}, and the address is not set: set ${Settings.variable(key)}.`
            : `The address of ${title} is not set: set ${Settings.variable(key)}.`,
      }
    const baseUrl = address.value.value
    const at = Settings.shown(address.value)
    if (found._tag === "None")
      return { ...none, address: at, advice: `Not signed in to ${title}: run ${login}, or set ${variable}.` }
    if (found._tag === "Elsewhere")
      return {
        ...none,
        address: at,
        advice: `The token of ${title} that is kept is for ${found.origin}, and not for ${at}: run ${login}, or set ${variable}.`,
      }
    const { expiresAt, from } = found
    const known = {
      service,
      address: at,
      from,
      ...(Option.isSome(expiresAt) ? { until: DateTime.formatIso(expiresAt.value) } : {}),
    }
    if (Option.isSome(expiresAt) && (yield* DateTime.isPast(expiresAt.value)))
      return { ...known, state: "expired", advice: `The token of ${title} has expired: run ${login}.` }
    const standing: Standing = { ...known, state: "signed in" }
    return service === "apps" ? yield* askedWho(standing, baseUrl, found) : standing
  })

const shape: Format.Shape<Standing> = {
  columns: [
    { heading: "SERVICE" },
    { heading: "STATE" },
    { heading: "WHO", least: 8, leaveOut: 2 },
    { heading: "ADDRESS", least: 12, leaveOut: 1 },
    { heading: "TOKEN FROM", least: 12 },
    { heading: "UNTIL (UTC)", leaveOut: 3 },
  ],
  row: ({ address, from, service, state, until, who }) => [
    service,
    state,
    who ?? "",
    address ?? "",
    from?.name ?? "",
    until?.replace("T", " ").slice(0, 16) ?? "",
  ],
  fields: ["service", "state", "who", "address", "from", "where", "until", "advice"],
  record: ({ address, advice, from, service, state, until, who }) => [
    service,
    state,
    who,
    address,
    from?.kind,
    from?.name,
    until,
    advice,
  ],
  json: ({ address, advice, from, service, state, until, user }) => ({
    service,
    state,
    user: user ?? null,
    address: address ?? null,
    from: from?.kind ?? null,
    where: from?.name ?? null,
    until: until ?? null,
    advice: advice ?? null,
  }),
}

const asked = (service: Option.Option<ServiceName.ServiceName>, all: ReadonlyArray<Connection.Access>) => {
  if (Option.isSome(service)) return all
  const known = all.filter(({ address }) => Option.isSome(address))
  return known.length === 0 ? all : known
}

export const command = Command.make({
  name: "status",
  description:
    "Show who is signed in to each service, where the token is stored, and until when it is valid. Exits with 1 if nobody is signed in.",
  examples: ["vigil auth status --sandbox", "vigil auth status --sandbox --output json"],
  flags: {
    sandbox: Connection.flags.sandbox,
    service: Flag.optional(ServiceName.value, "The service (default: both)"),
    output: Format.flag,
  },
  run: ({ output: format, sandbox, service }) =>
    Effect.gen(function* () {
      const embedded = yield* Connection.embeddedBy(sandbox)
      const names = Option.match(service, { onNone: () => ServiceName.all, onSome: (one) => [one] })
      const find = (name: ServiceName.ServiceName) =>
        Effect.flatMap(
          Option.isSome(embedded) ? Effect.succeedNone : Settings.get(ServiceName.facts[name].address),
          (address) => Connection.find(name, embedded, address),
        )
      const ways = asked(service, yield* Effect.forEach(names, find))
      const standings = yield* Effect.forEach(ways, check, { concurrency: "unbounded" })
      yield* Format.list(format, shape, Stream.make(standings))
      const advice = standings.flatMap(({ advice }) => (advice === undefined ? [] : [advice]))
      if (advice.length > 0) yield* new Failure.Incomplete({ message: advice.join(" ") })
    }),
})
