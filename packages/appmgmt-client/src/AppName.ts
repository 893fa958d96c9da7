/** The full name of an app: its owner and its name. */
import * as PathSegment from "@vigil/core-http/PathSegment"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"

const Name = Schema.String.pipe(Schema.check(Schema.makeFilter(PathSegment.isSegment, { identifier: "Name" })))

/**
 * An app by owner and name (document, "App identity"). Neither may be empty, `.` or `..`, or contain `/\?#%` or control characters.
 * @category schemas @since 0.1.0
 */
export const AppName = Schema.Struct({ owner: Name, app: Name }).pipe(
  Schema.annotate({ identifier: "AppName" }),
  Schema.brand("@vigil/appmgmt-client/AppName"),
)

/** A valid owner and name of an app. @category models @since 0.1.0 */
export type AppName = typeof AppName.Type

/** Makes a name from trusted parts. Throws if they are invalid. @category constructors @since 0.1.0 */
export const make = (owner: string, app: string): AppName => Schema.decodeSync(AppName)({ owner, app })

/** Formats a name as `{owner-name}/{app-name}` (document, "App identity"). @category printing @since 0.1.0 */
export const format = ({ app, owner }: AppName): string => `${owner}/${app}`

/** Reads `{ owner, app }`. Returns `None` if one is missing or invalid. @category parsing @since 0.1.0 */
export const fromUnknown: (input: unknown) => Option.Option<AppName> =
  /* @__PURE__ */ Schema.decodeUnknownOption(AppName)

/** Reads `owner/app`. Returns `None` for any other text. @category parsing @since 0.1.0 */
export const parse = (text: string): Option.Option<AppName> => {
  const [owner, app, ...rest] = text.split("/")
  return rest.length === 0 ? fromUnknown({ owner, app }) : Option.none()
}

/** Whether two names are equal, ignoring case. @category guards @since 0.1.0 */
export const isSame = (one: AppName, other: AppName): boolean =>
  format(one).toLowerCase() === format(other).toLowerCase()
