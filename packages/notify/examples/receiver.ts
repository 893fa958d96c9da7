import { Notification } from "@vigil/notify"
import { Schema } from "effect"
import { Webhook } from "standardwebhooks"

const Body = Schema.Struct({ type: Schema.String, data: Notification.Notification })

/** Verifies a request and returns its notification. Throws if the signature is wrong or the request is too old. */
export const receive = (body: string, headers: Record<string, string>, secret: string) => {
  new Webhook(secret).verify(body, headers)
  return Schema.decodeUnknownSync(Schema.fromJsonString(Body))(body).data
}
