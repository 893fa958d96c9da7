/** Whether a credential lacks the right to the events of the tenant, which settings then leave out. */
import * as SubscriptionId from "@vigil/health-client/SubscriptionId"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as TokenCheck from "../connection/TokenCheck.js"
import * as HealthAccess from "../connection/HealthAccess.js"
import { Output } from "../output/Output.js"
import * as Settings from "../settings/Settings.js"

interface Written {
  readonly healthBaseUrl: string
  readonly healthVendor: string | undefined
  readonly subscriptions?: Readonly<Record<string, string>> | ReadonlyArray<string> | undefined
}

const read = Effect.fnUntraced(function* ({
  healthBaseUrl: baseUrl,
  healthVendor: vendor,
  subscriptions = [],
}: Written) {
  const [id] = Object.values(subscriptions)
  const { token } = id === undefined ? {} : yield* TokenCheck.check("health", undefined, baseUrl)
  if (id === undefined || token === undefined) return false
  const apiVersion = yield* Settings.apiVersion(undefined)
  const lists = [{ id: SubscriptionId.make(id), title: id }]
  return yield* HealthAccess.isTenantOutside({ baseUrl, vendor, token, lists, apiVersion })
})

/** Whether the settings that were just written can read a subscription, and not the tenant. */
export const isMissing = Effect.fnUntraced(function* (written: Written) {
  const { status } = yield* Output
  yield* status("Reading the events of the tenant")
  return yield* read(written).pipe(
    // Those of this run are from before.
    Effect.provide(Layer.fresh(Settings.layer)),
    Effect.orElseSucceed(() => false),
    Effect.ensuring(status(undefined)),
  )
})
