/** The parts of a resource ID, such as `/subscriptions/s1/resourceGroups/shop/providers/Vendor.Compute/virtualMachines/web-1`. */

type Id = string | null | undefined

const after = (id: Id, segment: string): string | undefined =>
  new RegExp(`(?:^|/)${segment}/([^/]+)`, "i").exec(id ?? "")?.[1]

/** An encoded slash stays, because it does not end a segment. */
const decode = (segment: string): string => {
  try {
    return decodeURIComponent(segment).replaceAll("/", "%2F")
  } catch {
    return segment
  }
}

/**
 * Returns the text to compare IDs by: in lower case, without slashes around it or two in a row, and without percent-encoding.
 * @category comparing @since 0.2.0
 */
export const key = (id: string): string =>
  id
    .split("/")
    .filter((segment) => segment !== "")
    .map(decode)
    .join("/")
    .toLowerCase()

/** Returns the last segment; `undefined` if the ID is absent. @category getters @since 0.2.0 */
export const name = (id: Id): string | undefined => id?.split("/").findLast((segment) => segment !== "")

/** Returns the resource group; `undefined` if absent. @category getters @since 0.2.0 */
export const group = (id: Id): string | undefined => after(id, "resourceGroups")

/** Returns the subscription; `undefined` if absent. @category getters @since 0.2.0 */
export const subscription = (id: Id): string | undefined => after(id, "subscriptions")

/**
 * Returns the type, such as `Vendor.Compute/virtualMachines`, or `Vendor.Sql/servers/databases` for a resource in another one; `undefined` if the ID
 * names no resource of a provider.
 * @category getters @since 0.2.0
 */
export const type = (id: Id): string | undefined => {
  const [namespace, ...rest] =
    (id ?? "")
      .split(/(?:^|\/)providers\//i)
      .slice(1)
      .at(-1)
      ?.split("/") ?? []
  const types = rest.filter((_, index) => index % 2 === 0)
  return namespace && types[0] ? [namespace, ...types.filter((text) => text !== "")].join("/") : undefined
}
