/** Names of service groups, whose lists are a preview of the public service. */
import * as Schema from "effect/Schema"

/** The name of a service group: 1 to 90 letters, digits, dashes, underscores, periods and parentheses. @category schemas @since 0.4.0 */
export const ServiceGroup = /* @__PURE__ */ Schema.String.pipe(
  /* @__PURE__ */ Schema.check(/* @__PURE__ */ Schema.isPattern(/^(?!\.{1,2}$)[\w\-.()]{1,90}$/)),
  /* @__PURE__ */ Schema.annotate({ identifier: "ServiceGroup" }),
  /* @__PURE__ */ Schema.brand("@vigil/health-client/ServiceGroup"),
)

/** @category models @since 0.4.0 */
export type ServiceGroup = typeof ServiceGroup.Type

/** Creates a name. Throws `SchemaError`: decode untrusted text with `ServiceGroup`. @category constructors @since 0.4.0 */
export const make: (text: string) => ServiceGroup = /* @__PURE__ */ Schema.decodeSync(ServiceGroup)

/** The version that has the lists of service groups: their default. @category constants @since 0.4.0 */
export const apiVersion = "2026-08-01-preview"

/** The type of `apiVersion`. @category models @since 0.4.0 */
export type Version = typeof apiVersion

/** Returns the segments of the ID of a service group. @category conversions @since 0.4.0 */
export const segments = (name: ServiceGroup): ReadonlyArray<string> => [
  "providers",
  "Microsoft.Management",
  "serviceGroups",
  name,
]
