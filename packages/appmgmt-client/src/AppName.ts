/** The full name of an app: its owner and its name. */
import * as PathSegment from "@vigil/core-http/PathSegment"
import * as Schema from "effect/Schema"
import * as SchemaTransformation from "effect/SchemaTransformation"

const Name = Schema.String.pipe(
  Schema.check(Schema.makeFilter(PathSegment.isSegment, { expected: "a text that is one segment of a path" })),
)

const Parts = Schema.Struct({ owner: Name, app: Name }).pipe(Schema.brand("@vigil/appmgmt-client/AppName"))

/** A valid owner and name of an app. @category models @since 0.1.0 */
export type AppName = typeof Parts.Type

/** Formats a name as `owner/app`, as the schema encodes it. @category printing @since 0.1.0 */
export const format = ({ app, owner }: Readonly<Record<"owner" | "app", string>>): string => `${owner}/${app}`

const fromText = SchemaTransformation.transform<typeof Parts.Encoded, string>({
  decode: (text) => {
    const [owner = "", ...rest] = text.split("/")
    return { owner, app: rest.join("/") }
  },
  encode: format,
})

/**
 * An app by owner and name, decoded from `owner/app`. Neither may be empty, `.` or `..`, or contain `/\?#%` or control characters.
 * @category schemas @since 0.1.0
 */
export const AppName = Schema.String.pipe(Schema.decodeTo(Parts, fromText), Schema.annotate({ identifier: "AppName" }))

/** Makes a name from trusted parts. Throws if they are invalid. @category constructors @since 0.1.0 */
export const make = (owner: string, app: string): AppName => Schema.decodeSync(Parts)({ owner, app })

/** Whether two names are equal, ignoring case. @category guards @since 0.1.0 */
export const isSame = (one: AppName, other: AppName): boolean =>
  format(one).toLowerCase() === format(other).toLowerCase()
