/** What the vendor's name is part of: one field of an event, and the identifiers of the schemas that have it. */
import * as Schema from "effect/Schema"
import type * as ApiVersion from "../ApiVersion.js"
import { optional } from "./record.js"

/** The vendor as the document writes it. */
export const defaultVendor = "Vendor"

/** The name of the field. */
export const supportField = (vendor: string): string => `enable${vendor}Support`

/** The field. Its static type is hidden, as its name depends on a value. */
export const support = (vendor: string): object => ({ [supportField(vendor)]: optional(Schema.Boolean) })

/** Distinguishes the schemas of a version and a vendor from others in the same document. */
export const variant = (version: ApiVersion.Known, vendor: string): string =>
  vendor === defaultVendor ? version : `${version}-${vendor}`
