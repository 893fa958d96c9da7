/** `vigil auth status`: who is signed in to which service, where the token is kept, and until when. Never the token. */
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import { Incomplete } from "../Failure.js"
import * as Format from "../output/Format.js"
import * as Access from "../settings/Access.js"
import * as Connection from "../settings/Connection.js"
import * as ServiceName from "../settings/ServiceName.js"
import * as Settings from "../settings/Settings.js"
import * as Standing from "./Standing.js"

const shape: Format.Shape<Standing.Standing> = {
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

/** Those that were asked for; else those that are set up; else all. */
const asked = (service: Option.Option<ServiceName.ServiceName>, all: ReadonlyArray<Access.Access>) => {
  if (Option.isSome(service)) return all
  const known = all.filter(({ address }) => Option.isSome(address))
  return known.length === 0 ? all : known
}

/** The command. */
export const command = Command.make(
  "status",
  { sandbox: Connection.flags.sandbox, service: Options.optional(ServiceName.flag), output: Format.flag },
  ({ output: format, sandbox, service }) =>
    Effect.scoped(
      Effect.gen(function* () {
        const embedded = yield* Connection.embeddedBy(sandbox)
        const names = Option.match(service, { onNone: () => ServiceName.all, onSome: (one) => [one] })
        const find = (name: ServiceName.ServiceName) =>
          Effect.flatMap(
            Option.isSome(embedded) ? Effect.succeedNone : Settings.get(ServiceName.facts[name].address),
            (address) => Access.find(name, embedded, address),
          )
        const ways = asked(service, yield* Effect.forEach(names, find))
        const standings = yield* Effect.forEach(ways, Standing.of, { concurrency: "unbounded" })
        yield* Format.list(format, shape, Stream.make(standings))
        const advice = standings.flatMap(({ advice }) => (advice === undefined ? [] : [advice]))
        if (advice.length > 0) yield* new Incomplete({ message: advice.join(" ") })
      }),
    ),
).pipe(
  Command.withDescription(
    "Show for each service who is signed in, where the token is kept, and until when it is valid. Exits with 1 when nobody is signed in.",
  ),
)
