/** `vigil auth status`: the user, the place and the expiry of each token. Never prints a token. */
import type * as User from "@vigil/appmgmt-client/User"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import * as Command from "../command/Command.js"
import * as Failure from "../command/Failure.js"
import { Incomplete } from "../command/Incomplete.js"
import * as Connection from "../connection/Connection.js"
import * as Time from "../flags/Time.js"
import * as Format from "../output/Format.js"
import * as Printable from "../output/Printable.js"
import * as ServiceName from "../settings/ServiceName.js"
import * as Settings from "../settings/Settings.js"
import type * as Token from "../tokens/Token.js"
import * as TokenCheck from "../tokens/TokenCheck.js"

/** `unchecked`: there is a token, but the service could not be reached. */
interface Status {
  readonly service: ServiceName.ServiceName
  readonly state: TokenCheck.State["state"] | "refused" | "unchecked"
  readonly baseUrl?: string
  readonly from?: Token.Source | undefined
  readonly until?: DateTime.Utc | undefined
  readonly user?: User.User
  readonly advice?: string
}

const nameOf = ({ display_name: displayName, email, name }: User.User): string =>
  [displayName ?? name ?? "", email === undefined || email === null ? "" : `<${email}>`].join(" ").trim()

const checkUser = (status: Status, baseUrl: string, token: Token.Available) =>
  Effect.match(TokenCheck.user(baseUrl, token), {
    onSuccess: (user): Status => ({ ...status, user }),
    onFailure: (error): Status => ({
      ...status,
      state: error._tag === "RequestError" && error.reason._tag === "Unauthorized" ? "refused" : "unchecked",
      advice: Failure.plain(error),
    }),
  })

const check = Effect.fnUntraced(function* (
  service: ServiceName.ServiceName,
  setting: Settings.Setting | undefined,
  embedded: Connection.Embedded | undefined,
) {
  const token = yield* Connection.findToken(service, embedded, setting?.value)
  if (setting === undefined) {
    const { baseUrlKey, title } = ServiceName.facts[service]
    const stored = token._tag === "OtherOrigin" ? `A token of ${title} is stored for ${token.origin}. ` : ""
    const advice = `${stored}The base URL of ${title} is not set: set ${Settings.variable(baseUrlKey)}.`
    return { service, state: "not signed in", advice } satisfies Status
  }
  const { token: found, ...checked } = yield* TokenCheck.check(service, token)
  const status: Status = {
    service,
    baseUrl: Settings.display(setting),
    from: token._tag === "Available" || token._tag === "Renewable" ? token.from : undefined,
    until: found && Option.getOrUndefined(found.expiresAt),
    ...checked,
  }
  // The health events API has no request for the user.
  const canCheckUser = service === "apps" && checked.state === "signed in" && found !== undefined
  return canCheckUser ? yield* checkUser(status, setting.value, found) : status
})

const who = ({ user }: Status) => user && nameOf(user)

const fields = {
  service: ({ service }: Status) => service,
  state: ({ state }: Status) => state,
  who,
  baseUrl: ({ baseUrl }: Status) => baseUrl,
  from: ({ from }: Status) => from?.kind,
  where: ({ from }: Status) => from?.name,
  until: ({ until }: Status) => until && DateTime.formatIso(until),
  advice: ({ advice }: Status) => advice,
}

const definition: Printable.Definition<Status> = {
  columns: [
    { heading: "SERVICE", cell: fields.service },
    { heading: "STATE", cell: fields.state },
    { heading: "WHO", minWidth: 8, hideOrder: 2, cell: who },
    { heading: "BASE URL", minWidth: 12, hideOrder: 1, cell: fields.baseUrl },
    { heading: "TOKEN FROM", minWidth: 12, cell: fields.where },
    { heading: "UNTIL (UTC)", hideOrder: 3, cell: ({ until }) => until && Time.minute(until) },
  ],
  fields,
  json: (status) => {
    const { service, state, who: _, ...others } = Printable.toObject(fields, status)
    return { service, state, user: status.user ?? null, ...others }
  },
}

const service = { ...ServiceName.flag, description: "health or apps (default: those with a base URL)" }

export const command = Command.make({
  description:
    "Show who is signed in to each service, where the token is stored, and until when it is valid. Exits with 1 if you are not signed in.",
  examples: ["vigil auth status --sandbox", "vigil auth status --sandbox --output json"],
  flags: { sandbox: Connection.flags.sandbox, service, output: Format.flag },
  run: function* ({ output: format, sandbox, service }) {
    const embedded = yield* Connection.embedded({ sandbox, baseUrl: undefined })
    const { all } = yield* Settings.Settings
    const settings = ServiceName.select(service).map((name) => {
      const sandboxUrl = embedded && { value: embedded.sandbox.baseUrl, from: embedded.from }
      return { name, setting: sandboxUrl ?? all[ServiceName.facts[name].baseUrlKey] }
    })
    const configured = settings.filter(({ setting }) => setting !== undefined)
    const statuses = yield* Effect.forEach(
      service !== undefined || configured.length === 0 ? settings : configured,
      ({ name, setting }) => check(name, setting, embedded),
      { concurrency: "unbounded" },
    )
    yield* Format.list(format, definition, Stream.make(statuses))
    const advice = statuses.flatMap(({ advice }) => (advice === undefined ? [] : [advice]))
    if (advice.length > 0) yield* new Incomplete({ message: advice.join(" ") })
  },
})
