/** An app, as lists show it. */
import * as Decoder from "@vigil/core-http/Decoder"
import * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as AppName from "./AppName.js"
import { optional, preserve } from "./internal/record.js"

/**
 * An accessible app. The document does not show its fields; these were seen in public (field notes, "App management"), so that
 * none is required, `null` means absent, and fields that are not listed are kept.
 * @category schemas
 * @since 0.1.0
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
}).annotations({ identifier: "App", parseOptions: preserve })

/**
 * An app, as lists show it: no field is sure to be there.
 * @category models
 * @since 0.1.0
 */
export interface App extends Schema.Schema.Type<typeof App> {}

const check = Decoder.fromSchema(Schema.Array(App))

/**
 * Checks parsed JSON as a list of apps. What comes back is the input itself, nothing of it lost.
 * @category decoding
 * @since 0.1.0
 */
export const decodeList: Decoder.Decoder<ReadonlyArray<App>> = (json) =>
  Effect.map(check(json), () => json as ReadonlyArray<App>)

const named = /* @__PURE__ */ Schema.decodeUnknownOption(AppName.AppName)

/**
 * The app's name, by which other calls know it; `None` where the list does not tell it.
 * @category getters
 * @since 0.1.0
 */
export const nameOf = ({ name, owner }: App): Option.Option<AppName.AppName> => named({ owner: owner?.name, app: name })
