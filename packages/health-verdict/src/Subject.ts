/** Whose events a list has: those of a subscription, of the tenant, of everyone, or of one resource. No event of the tenant is in the list of a subscription. */
import type { ResourceUri } from "@vigil/health-client/ResourceUri"
import type { Owner } from "@vigil/health-client/Tenant"
import { tenant } from "@vigil/health-client/Tenant"

/** Everyone who uses the service: the emerging issues. @category models @since 0.4.0 */
export interface Everyone {
  readonly _tag: "Everyone"
}

/** One resource: the service lists the events that name it. @category models @since 0.4.0 */
export interface Resource {
  readonly _tag: "Resource"
  readonly id: ResourceUri
}

/** Whose events a list has. @category models @since 0.4.0 */
export type Subject = Everyone | Owner | Resource

/** Everyone, in place of a subscription. @category constructors @since 0.4.0 */
export const everyone: Everyone = { _tag: "Everyone" }

/** Makes the subject of a resource. @category constructors @since 0.4.0 */
export const resource = (id: ResourceUri): Resource => ({ _tag: "Resource", id })

/** Returns whether it is a subscription. @category guards @since 0.4.0 */
export const isSubscription = (subject: Subject): subject is Extract<Owner, string> => typeof subject === "string"

/** Returns whether it is everyone. @category guards @since 0.4.0 */
export const isEveryone = (subject: Subject): subject is Everyone => subject === everyone

/** Returns a text that identifies it: IDs that differ in case are of one subscription. @category getters @since 0.4.0 */
export const key = (subject: Subject): string =>
  isSubscription(subject)
    ? `subscription/${subject.toLowerCase()}`
    : subject._tag === "Resource"
      ? `resource/${subject.id.toLowerCase()}`
      : subject._tag.toLowerCase()

/** Returns the subjects beside the subscriptions. @category constants @since 0.4.0 */
export const shared = [tenant, everyone] as const

/** Whose events no subscription has. @category models @since 0.4.0 */
export type Shared = (typeof shared)[number]

/** Returns which subjects beside the subscriptions are read, and which are left out. @category getters @since 0.4.0 */
export const select = ({
  withoutEveryone = false,
  withoutTenant = false,
}: {
  readonly withoutEveryone?: boolean | undefined
  readonly withoutTenant?: boolean | undefined
}): { readonly read: ReadonlyArray<Shared>; readonly leftOut: ReadonlyArray<Shared> } => {
  const isLeftOut = ({ _tag }: Shared) => (_tag === "Tenant" ? withoutTenant : withoutEveryone)
  return { read: shared.filter((subject) => !isLeftOut(subject)), leftOut: shared.filter(isLeftOut) }
}

const labels = { Tenant: "the tenant", Everyone: "emerging issues", Resource: "the resource" } as const

/** Returns what the list of a subject that is no subscription is called: `the tenant`, `emerging issues`, `the resource`. @category getters @since 0.4.0 */
export const label = ({ _tag }: Exclude<Subject, string>): string => labels[_tag]
