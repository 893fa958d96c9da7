/** `vigil mcp`: the tools for language models, over stdin and stdout. */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Command from "../command/Command.js"
import { version } from "../command/Version.js"
import * as Connection from "../connection/Connection.js"
import * as Subscriptions from "../connection/Subscriptions.js"
import * as Flag from "../flags/Flag.js"
import { UsageError } from "../flags/UsageError.js"

const server = Effect.promise(() => import("./Server.js"))

export const command = Command.make({
  description:
    "Serve tools for language models with the Model Context Protocol, on stdin and stdout. All tools only read.",
  examples: ["vigil mcp --sandbox"],
  flags: {
    ...Connection.flags,
    subscription: Subscriptions.repeated,
    subscriptionsFile: Subscriptions.file,
    budget: Flag.withDefault(Flag.integer("n", 2_000, 1_000_000), "8000", "Characters of an answer"),
    apiVersion: Connection.apiVersion,
    withoutTenant: Connection.withoutTenant,
  },
  run: function* ({ budget, ...flags }) {
    yield* Subscriptions.checkFlags(flags)
    if (flags.subscriptionsFile === "-")
      return yield* new UsageError("--subscriptions-file - reads stdin, which carries the protocol: pass a file.")
    const { apiVersion, service, withoutTenant, ...connection } = yield* Connection.healthWithoutToken(flags)
    const subscriptions = yield* Subscriptions.several(connection, flags)
    const { stdio } = yield* server
    const names = connection.names.all
    const serving = stdio({ service, version, apiVersion, subscriptions, names, budget, withoutTenant })
    // At the end of stdin, the server interrupts itself.
    yield* Effect.catchCauseIf(serving, Cause.hasInterruptsOnly, () => Effect.void)
  },
})
