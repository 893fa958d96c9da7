/** How each service is reached as things are set: at which address, and with which token. */
import type * as Sandbox from "@vigil/sandbox/Sandbox"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Token from "../auth/Token.js"
import * as TokenStore from "../auth/TokenStore.js"
import type * as ServiceName from "./ServiceName.js"
import type * as Settings from "./Settings.js"

/** An address with who set it, and what token goes there. Without an address none does: one that is kept is for elsewhere. */
export interface Access {
  readonly service: ServiceName.ServiceName
  readonly address: Option.Option<Settings.Setting>
  readonly found: Token.Found
}

/** The sandbox, and who asked for it. */
export interface Embedded {
  readonly sandbox: Sandbox.Service
  readonly from: Settings.From
}

/** The way to the sandbox, which has tokens of its own. */
const within = ({ from, sandbox }: Embedded, service: ServiceName.ServiceName): Access => ({
  service,
  address: Option.some({ value: sandbox.baseUrl, from }),
  found: {
    _tag: "Token",
    token: service === "health" ? sandbox.accessToken : sandbox.apiToken,
    from: { kind: "sandbox", name: "the sandbox" },
    expiresAt: Option.none(),
  },
})

/** The token that is kept, whatever it is for. */
const kept = (service: ServiceName.ServiceName): Effect.Effect<Token.Found, TokenStore.FindError> =>
  Effect.map(
    TokenStore.find(service),
    Option.match({
      onNone: () => ({ _tag: "None" }),
      onSome: ({ origin, place }) => ({ _tag: "Elsewhere", origin, from: place }),
    }),
  )

/** The way to a service at the configured base URL. */
export const find = (
  service: ServiceName.ServiceName,
  embedded: Option.Option<Embedded>,
  address: Option.Option<Settings.Setting>,
): Effect.Effect<Access, TokenStore.FindError> =>
  Effect.gen(function* () {
    if (Option.isSome(embedded)) return within(embedded.value, service)
    const found = yield* Option.isSome(address) ? Token.find(service, address.value.value) : kept(service)
    return { service, address, found }
  })
