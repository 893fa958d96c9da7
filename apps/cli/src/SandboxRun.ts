/** Serves both APIs, or a fault in place of one, and prints how to get there. */
import * as Faults from "@vigil/sandbox/Faults"
import * as Sandbox from "@vigil/sandbox/Sandbox"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { UsageError } from "./Failure.js"
import * as Suggestion from "./help/Suggestion.js"
import { Output } from "./output/Output.js"
import * as Table from "./output/Table.js"
import * as Settings from "./settings/Settings.js"

/** The flags as they were given. */
interface Flags {
  readonly port: number
  readonly seed: number
  readonly cors: boolean
  readonly fault: Option.Option<string>
}

const listFaults = Effect.flatMap(Output, ({ data, width }) =>
  data(
    Table.render(
      [{ heading: "FAULT" }, { heading: "WHAT IS SERVED", least: 20 }],
      Faults.names.map((name) => [name, Faults.byName(name).what]),
      width,
    ),
  ),
)

const faultOf = (text: string): Effect.Effect<Faults.Name, UsageError> => {
  const name = Faults.names.find((one) => one === text)
  return name === undefined
    ? new UsageError({
        message: `There is no fault ${JSON.stringify(text)}.${Suggestion.ask(text, Faults.names)} Run vigil sandbox --fault list to see them all.`,
      })
    : Effect.succeed(name)
}

/** Starts a sandbox on the port. Its vendor is that of the settings. */
const start = ({ cors, port, seed }: Flags) =>
  Effect.gen(function* () {
    if (port < 0 || port > 65_535)
      return yield* new UsageError({
        message: `There is no port ${port}: give one from 1 to 65535, or 0 for one that is free.`,
      })
    return yield* Effect.mapError(
      Sandbox.make({ port, seed, cors, vendor: yield* Settings.vendor }),
      () => new UsageError({ message: `Port ${port} can't be had: another process may have it. Give another --port.` }),
    )
  })

/** A word as a POSIX shell reads it. */
const shellWord = (text: string): string => (/^[\w./:-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`)

/** The commands that set the environment of a shell. The sandbox's tokens are no secrets: they open nothing else. */
const lines = (
  { accessToken, apiToken, baseUrl, world }: Sandbox.Service,
  served: Option.Option<Faults.Started>,
): ReadonlyArray<string> => [
  ...Object.entries({
    HEALTH_BASE_URL: Option.match(served, { onNone: () => baseUrl, onSome: ({ server }) => server.origin }),
    HEALTH_VENDOR: world.vendor,
    HEALTH_ACCESS_TOKEN: Redacted.value(accessToken),
    HEALTH_SUBSCRIPTION: world.subscriptions[0].id,
    APPMGMT_BASE_URL: baseUrl,
    APPMGMT_API_TOKEN: Redacted.value(apiToken),
    APPMGMT_PORTAL_URL: baseUrl,
  }).map(([name, value]) => `export ${name}=${shellWord(value)}`),
  ...world.subscriptions.map(({ id }) => `# vigil events list --subscription ${id}`),
]

/** Runs until it is stopped, or has listed the faults. */
export const run = (flags: Flags) =>
  Effect.scoped(
    Effect.gen(function* () {
      const { fault } = flags
      if (Option.contains(fault, "list")) return yield* listFaults
      const { data, note } = yield* Output
      const name = yield* Option.isSome(fault) ? Effect.asSome(faultOf(fault.value)) : Effect.succeedNone
      const sandbox = yield* start(flags)
      const served = yield* Option.isSome(name) ? Effect.asSome(Faults.start(name.value)) : Effect.succeedNone
      yield* data(lines(sandbox, served))
      if (Option.isSome(served)) yield* note(`In place of health events: ${served.value.scenario.what}`)
      yield* note("Run these lines in another shell. Serving until it is stopped (Ctrl-C).")
      return yield* Effect.never
    }),
  )
