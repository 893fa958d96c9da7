/** Apps, as in lists. */
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as AppName from "./AppName.js"
import { optional } from "./internal/record.js"

/**
 * An app that the token can access. All fields are optional, `null` means absent, and unknown fields are kept.
 * @category schemas @since 0.1.0
 */
export const App = Schema.Struct({
  id: optional(Schema.String),
  name: optional(Schema.String),
  display_name: optional(Schema.String),
  description: optional(Schema.String),
  os: optional(Schema.String),
  platform: optional(Schema.String),
  owner: optional(
    Schema.Struct({
      id: optional(Schema.String),
      name: optional(Schema.String),
      display_name: optional(Schema.String),
      email: optional(Schema.String),
      type: optional(Schema.String),
    }),
  ),
}).annotate({ identifier: "App" })

/** An app. All fields are optional. @category models @since 0.1.0 */
export interface App extends Schema.Schema.Type<typeof App> {}

const decodeName = /* @__PURE__ */ Schema.decodeOption(AppName.AppName)

/** The owner and name of an app. `undefined` if one is missing or invalid. @category getters @since 0.1.0 */
export const nameOf = ({ name, owner }: App): AppName.AppName | undefined =>
  Option.getOrUndefined(decodeName(AppName.format({ owner: owner?.name ?? "", app: name ?? "" })))
