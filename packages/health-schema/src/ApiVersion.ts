/** Versions of the health events API. */
import * as Schema from "effect/Schema"
import * as table from "./internal/versions.js"

/** Every known version, newest first. @category constants @since 0.1.0 */
export const all = /* @__PURE__ */ Object.keys(table.versions) as ReadonlyArray<table.Version>

/** The known versions, each with its own types and schemas. @category schemas @since 0.1.0 */
export const Known = /* @__PURE__ */ Schema.Literals(all).annotate({ identifier: "KnownApiVersion" })

/** @category models @since 0.1.0 */
export type Known = table.Version

const isKnown = /* @__PURE__ */ Schema.is(Known)

/** Any other non-empty version. Its events have the types and checks of `latest`. @category schemas @since 0.1.0 */
export const Other = /* @__PURE__ */ Schema.NonEmptyString.pipe(
  /* @__PURE__ */ Schema.check(
    /* @__PURE__ */ Schema.makeFilter(
      (version) => !isKnown(version) || `${version} is a known version: use the text itself.`,
    ),
  ),
  /* @__PURE__ */ Schema.brand("OtherApiVersion"),
  /* @__PURE__ */ Schema.annotate({ identifier: "OtherApiVersion" }),
)

const decodeOther = /* @__PURE__ */ Schema.decodeSync(Other)

/** @category models @since 0.1.0 */
export type Other = typeof Other.Type

/** The query parameter `api-version`. Decodes any non-empty text. @category schemas @since 0.1.0 */
export const ApiVersion = /* @__PURE__ */ Schema.Union([Known, Other]).annotate({ identifier: "ApiVersion" })

/** @category models @since 0.1.0 */
export type ApiVersion = Known | Other

/** The version of requests that name none. Not the newest of `all`, which a service may not support yet. @category constants @since 0.4.0 */
export const defaultVersion = table.defaultVersion

/** The type of `defaultVersion`. @category models @since 0.4.0 */
export type Default = typeof defaultVersion

/** The newest version of `all` that is not a preview. @category constants @since 0.1.0 */
export const latest = table.latest

/**
 * Creates a version that is not in `all`. Throws if the text is empty or in `all`. Decode versions from a configuration with `ApiVersion`
 * instead.
 * @category constructors @since 0.1.0
 */
export const other = (version: string): Other => decodeOther(version)
