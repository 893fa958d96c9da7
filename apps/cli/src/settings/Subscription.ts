/** Subscriptions by ID, or by their name in the settings file. */
import * as SubscriptionId from "@vigil/health-client/SubscriptionId"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Flag from "../kit/Flag.js"
import { Settings } from "./Settings.js"

export const id = Flag.parsed("id", "an ID without slashes", Schema.decodeOption(SubscriptionId.SubscriptionId))

/** Returns the ID of a name, or the text itself as an ID. `from` names the flag or the setting in errors. */
export const resolve = (text: string, from: string) =>
  Effect.flatMap(Settings, ({ subscriptions }) =>
    id.parse((Object.hasOwn(subscriptions, text) ? subscriptions[text] : undefined) ?? text, from),
  )
