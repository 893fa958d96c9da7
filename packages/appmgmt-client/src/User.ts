/** The profile of a user. */
import * as Decoder from "@vigil/core-http/Decoder"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { optional, preserve } from "./internal/record.js"

/**
 * The caller's profile. The document does not show its fields; these were declared and seen in public (field notes, "App
 * management"), so that none is required, `null` means absent, and fields that are not listed are kept.
 * @category schemas
 * @since 0.1.0
 */
export const User = Schema.Struct({
  id: optional(Schema.String),
  name: optional(Schema.String),
  display_name: optional(Schema.String),
  email: optional(Schema.String),
  origin: optional(Schema.String),
  avatar_url: optional(Schema.String),
  can_change_password: optional(Schema.Boolean),
  created_at: optional(Schema.String),
  permissions: optional(Schema.Array(Schema.String)),
}).annotations({ identifier: "User", parseOptions: preserve })

/**
 * A profile: no field is sure to be there.
 * @category models
 * @since 0.1.0
 */
export interface User extends Schema.Schema.Type<typeof User> {}

const check = Decoder.fromSchema(User)

/**
 * Checks parsed JSON. What comes back is the input itself, nothing of it lost.
 * @category decoding
 * @since 0.1.0
 */
export const decode: Decoder.Decoder<User> = (json) => Effect.map(check(json), () => json as User)
