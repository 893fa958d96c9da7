/** Selects resources by state, type, resource group and name. */
import * as ResourceId from "@vigil/health-schema/ResourceId"

/** Values to select. A missing or empty list allows every value. @category models @since 0.2.0 */
export interface Selection {
  /** States as of `StatusChanges.stateOf`. */
  readonly state?: ReadonlyArray<string> | undefined
  /** Types as of `ResourceId.type`, such as `Vendor.Compute/virtualMachines`. */
  readonly type?: ReadonlyArray<string> | undefined
  /** Names of resource groups. */
  readonly group?: ReadonlyArray<string> | undefined
  /** Names of resources. */
  readonly name?: ReadonlyArray<string> | undefined
}

/**
 * Returns whether a resource has one of the values of each list, ignoring case. Pass the state before a change and the one after it to select the
 * changes of both.
 * @category guards @since 0.2.0
 */
export const matches = ({ group, name, state, type }: Selection) => {
  const includes = (wanted: ReadonlyArray<string> | undefined, values: ReadonlyArray<string | undefined>): boolean =>
    !wanted?.length || wanted.some((one) => values.some((value) => value?.toLowerCase() === one.toLowerCase()))
  return (id: string | undefined, ...states: ReadonlyArray<string>): boolean =>
    includes(state, states) &&
    includes(type, [ResourceId.type(id)]) &&
    includes(group, [ResourceId.group(id)]) &&
    includes(name, [ResourceId.name(id)])
}
