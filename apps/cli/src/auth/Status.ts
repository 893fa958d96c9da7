/** `vigil auth status`: the source and the expiry of each token, and its user. Never prints a token. */
import * as Effect from "effect/Effect"
import * as Command from "../command/Command.js"
import * as Check from "../connection/Check.js"
import * as Connection from "../connection/Connection.js"
import * as TokenCheck from "../connection/TokenCheck.js"
import * as Format from "../output/Format.js"
import * as ServiceName from "../settings/ServiceName.js"
import * as Settings from "../settings/Settings.js"

const check = Effect.fnUntraced(function* (
  service: ServiceName.ServiceName,
  url: string | undefined,
  embedded: Connection.Embedded | undefined,
) {
  const { check, token } = yield* TokenCheck.check(service, embedded, url)
  return service === "apps" && url !== undefined && token !== undefined
    ? [check, ...(yield* TokenCheck.user(url, token))]
    : [check]
})

const service = { ...ServiceName.flag, description: "health or apps (default: those with a base URL)" }

export const command = Command.make({
  description:
    "Show the token of each service, where it comes from, and until when it is valid. Exits with 1 if you are not signed in.",
  examples: ["vigil auth status --sandbox", "vigil auth status --sandbox --output json"],
  flags: { sandbox: Connection.flags.sandbox, service, output: Format.flag },
  run: function* ({ output: format, sandbox, service }) {
    const embedded = yield* Connection.embedded({ sandbox, baseUrl: undefined })
    const { all } = yield* Settings.Settings
    const selected = ServiceName.select(service).map((name) => ({
      name,
      url: embedded?.sandbox.baseUrl ?? all[ServiceName.facts[name].baseUrlKey]?.value,
    }))
    const configured = selected.filter(({ url }) => url !== undefined)
    const checks = yield* Effect.forEach(
      service !== undefined || configured.length === 0 ? selected : configured,
      ({ name, url }) => check(name, url, embedded),
      { concurrency: "unbounded" },
    )
    yield* Check.print(format, checks.flat())
  },
})
