/** `vigil auth logout`: removes stored tokens. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Command from "../Command.js"
import * as Flag from "../Flag.js"
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

export const command = Command.make({
  name: "logout",
  description:
    "Remove the stored token of a service, or of both. The token itself stays valid until it expires or is deleted where it was made.",
  examples: ["vigil auth logout", "vigil auth logout --service apps"],
  flags: { service: Flag.optional(ServiceName.value, "The service (default: both)") },
  run: ({ service }) =>
    Effect.forEach(Option.match(service, { onNone: () => ServiceName.all, onSome: (one) => [one] }), forget),
})
