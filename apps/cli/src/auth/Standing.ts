/** How one stands with a service: signed in or not, as whom, by which token. */
import type * as HttpClient from "@effect/platform/HttpClient"
import * as AppManagement from "@vigil/appmgmt-client/AppManagement"
import type * as User from "@vigil/appmgmt-client/User"
import * as RetryPolicy from "@vigil/core-http/RetryPolicy"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Failure from "../Failure.js"
import type * as Access from "../settings/Access.js"
import * as ServiceName from "../settings/ServiceName.js"
import * as Settings from "../settings/Settings.js"
import type * as Token from "./Token.js"

/**
 * What is known. `unchecked`: there is a token, and the service could not be asked about it. `until` is ISO 8601. `advice` is what to do,
 * where something is.
 */
export interface Standing {
  readonly service: ServiceName.ServiceName
  readonly state: "signed in" | "not signed in" | "expired" | "refused" | "unchecked"
  readonly address?: string
  readonly from?: Token.From
  readonly until?: string
  readonly user?: User.User
  readonly who?: string
  readonly advice?: string
}

/** A person's name, as far as the service tells it. */
const nameOf = ({ display_name: displayName, email, name }: User.User): string =>
  [displayName ?? name ?? "", email === undefined || email === null ? "" : `<${email}>`].join(" ").trim()

/** Asks the app management service whose token it is. The health events service has no such question. */
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

/** How one stands with a service. */
export const of = ({ address, found, service }: Access.Access): Effect.Effect<Standing, never, HttpClient.HttpClient> =>
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
