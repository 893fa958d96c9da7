/** `vigil sandbox`: serves both APIs, or a fault, and prints how to connect. */
import * as Suggestion from "@vigil/health-text/Suggestion"
import type * as Faults from "@vigil/sandbox/Faults"
import type * as Sandbox from "@vigil/sandbox/Sandbox"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Command from "../command/Command.js"
import * as Shell from "../command/Shell.js"
import * as Flag from "../flags/Flag.js"
import * as Time from "../flags/Time.js"
import { UsageError } from "../flags/UsageError.js"
import * as Listen from "../listen/Listen.js"
import { Output } from "../output/Output.js"
import * as Table from "../output/Table.js"
import * as Settings from "../settings/Settings.js"

const faults = Effect.promise(() => import("@vigil/sandbox/Faults"))
const sandbox = Effect.promise(() => import("@vigil/sandbox/Sandbox"))

const listFaults = Effect.gen(function* () {
  const { byName, names } = yield* faults
  const { data, width } = yield* Output
  const columns = [{ heading: "FAULT" }, { heading: "WHAT IS SERVED", minWidth: 20 }]
  const rows = names.map((name) => [name, byName(name).description])
  yield* data(Table.render(columns, rows, width).lines)
})

const startFault = Effect.fnUntraced(function* (text: string) {
  const { names, start } = yield* faults
  const name = names.find((one) => one === text)
  if (name !== undefined) return yield* start(name)
  return yield* new UsageError(
    `Unknown fault ${JSON.stringify(text)}.${Suggestion.question(text, names)} Run vigil sandbox --fault list to list all faults.`,
  )
})

/** The settings as shell commands. The tokens give access to the sandbox only. */
const exportLines = (
  { accessToken, apiToken, baseUrl, world }: Sandbox.Service,
  served: Faults.RunningFault | undefined,
): ReadonlyArray<string> => [
  ...Object.entries({
    HEALTH_BASE_URL: served?.server.origin ?? baseUrl,
    HEALTH_VENDOR: world.vendor,
    HEALTH_ACCESS_TOKEN: Redacted.value(accessToken),
    HEALTH_SUBSCRIPTION: world.subscriptions.map(({ id, name }) => `${name}=${id}`).join(","),
    APPMGMT_BASE_URL: baseUrl,
    APPMGMT_API_TOKEN: Redacted.value(apiToken),
    APPMGMT_PORTAL_URL: baseUrl,
  }).map(([name, value]) => `export ${name}=${Shell.word(value)}`),
  `# For programs that read one subscription: export HEALTH_SUBSCRIPTION=${world.subscriptions[0].id}`,
]

export const command = Command.make({
  description: "Serve both APIs on this machine until interrupted, and print the settings for vigil and its packages.",
  examples: [
    "vigil sandbox --port 8080 --seed 7",
    "vigil sandbox --change-every 30s",
    "vigil sandbox --fault status-503",
    "vigil sandbox --fault list",
  ],
  flags: {
    port: Flag.withDefault(Flag.port, "0", "Port; 0 is any free port"),
    seed: Flag.withDefault(Flag.integer("n"), "1", "The same seed produces the same events"),
    changeEvery: Flag.optional(Time.duration("365 days"), "Open, update or resolve an event at this interval"),
    cors: Flag.boolean("Accept browser requests from any origin"),
    fault: Flag.optional(Flag.text("name"), "Serve this fault instead of health events (names: --fault list)"),
  },
  run: function* ({ changeEvery, cors, fault, port, seed }) {
    if (fault === "list") return yield* listFaults
    if (fault !== undefined && changeEvery !== undefined)
      return yield* new UsageError("--fault and --change-every are mutually exclusive: a fault replaces the events.")
    const { data, note } = yield* Output
    const { make } = yield* sandbox
    // Checks the name of the fault first.
    const served = fault === undefined ? undefined : yield* startFault(fault)
    const service = yield* Effect.mapError(
      make({ port, seed, cors, changeEvery, vendor: yield* Settings.vendor }),
      ({ cause }) => Listen.listenError(cause, port),
    )
    yield* data(exportLines(service, served))
    if (served !== undefined) yield* note(`Instead of health events: ${served.scenario.description}`)
    yield* note("Run these lines in another shell. Press Ctrl-C to stop.")
    return yield* Effect.never
  },
})
