/** `vigil auth logout`: removes stored tokens. */
import * as Effect from "effect/Effect"
import * as Command from "../command/Command.js"
import * as Output from "../output/Output.js"
import * as ServiceName from "../settings/ServiceName.js"
import * as TokenStore from "../tokens/TokenStore.js"

const remove = Effect.fnUntraced(function* (service: ServiceName.ServiceName) {
  const { title } = ServiceName.facts[service]
  const locations = yield* TokenStore.remove(service)
  yield* Output.note(
    locations.length === 0
      ? `No token of ${title} is stored.`
      : `Removed the token of ${title} from ${locations.map(TokenStore.describe).join(" and ")}.`,
  )
})

export const command = Command.make({
  description:
    "Remove the stored token of a service, or of both. The token stays valid until it expires or is revoked.",
  examples: ["vigil auth logout", "vigil auth logout --service apps"],
  flags: { service: ServiceName.flag },
  requiresSettings: false,
  run: function* ({ service }) {
    yield* Effect.forEach(ServiceName.select(service), remove)
  },
})
