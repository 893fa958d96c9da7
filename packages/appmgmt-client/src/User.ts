/** The profile of a user. */
import * as Schema from "effect/Schema"
import { optional } from "./internal/record.js"

/**
 * The profile of the token's user. All fields are optional, `null` means absent, and unknown fields are kept.
 * @category schemas @since 0.1.0
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
}).annotate({ identifier: "User" })

/** A profile. All fields are optional. @category models @since 0.1.0 */
export interface User extends Schema.Schema.Type<typeof User> {}
