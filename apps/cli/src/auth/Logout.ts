/** `vigil auth logout`: forgets the tokens that are kept. */
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { Output } from "../output/Output.js"
import * as Environment from "../settings/Environment.js"
import * as ServiceName from "../settings/ServiceName.js"
import * as TokenStore from "./TokenStore.js"

const forget = (service: ServiceName.ServiceName) =>
  Effect.gen(function* () {
    const { note } = yield* Output
    const { title, token } = ServiceName.facts[service]
    const places = yield* TokenStore.remove(service)
    yield* note(
      places.length === 0
        ? `No token of ${title} is kept.`
        : `Removed the token of ${title} from ${places.map(TokenStore.describe).join(" and ")}.`,
    )
    if (Option.isSome(yield* Environment.secret(token)))
      yield* note(`vigil: ${token} is still set in the environment, and goes on to be used.`)
  })

/** The command. */
export const command = Command.make("logout", { service: Options.optional(ServiceName.flag) }, ({ service }) =>
  Effect.forEach(Option.match(service, { onNone: () => ServiceName.all, onSome: (one) => [one] }), forget, {
    discard: true,
  }),
).pipe(
  Command.withDescription(
    "Forget the token of a service, or of both. The token itself stays valid until it expires or is deleted where it was made.",
  ),
)
