/** `vigil auth login`: has a token of a service, and keeps it. */
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import * as Origin from "@vigil/core-http/Origin"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { UsageError } from "../Failure.js"
import { Output } from "../output/Output.js"
import * as Connection from "../settings/Connection.js"
import * as ServiceName from "../settings/ServiceName.js"
import * as FromStdin from "./FromStdin.js"
import * as TokenStore from "./TokenStore.js"

const tokenStdin = Options.boolean("token-stdin").pipe(
  Options.withDescription("Read the token from stdin, one line, instead of signing in by a browser."),
)

/** The token of stdin, for the service at the address that is set. */
const byStdin = (flags: Connection.Flags, service: ServiceName.ServiceName) =>
  Effect.gen(function* () {
    const { note } = yield* Output
    if (flags.sandbox)
      return yield* new UsageError({
        message: "--sandbox and --token-stdin exclude each other: the sandbox has tokens of its own.",
      })
    const { origin } = yield* Origin.parseBase(yield* Connection.address(flags, service))
    const token = yield* FromStdin.read
    const place = yield* TokenStore.keep(service, { token, origin, expiresAt: Option.none() })
    yield* note(
      `The token of ${ServiceName.facts[service].title} at ${origin} is kept in ${TokenStore.describe(place)}.`,
    )
  })

/** The command. */
export const command = Command.make(
  "login",
  {
    ...Connection.flags,
    service: Options.withDefault(ServiceName.flag, "health"),
    tokenStdin,
  },
  ({ service, tokenStdin, ...flags }) =>
    tokenStdin ? byStdin(flags, service) : new UsageError({ message: "Give the token by --token-stdin." }),
).pipe(Command.withDescription("Sign in to a service, and keep its token."))
