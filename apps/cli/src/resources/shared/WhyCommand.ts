/** The command that explains a resource: by its name, or by its ID if another resource of its subscription has the name. */
import * as AvailabilityStatus from "@vigil/health-schema/AvailabilityStatus"
import * as ResourceId from "@vigil/health-schema/ResourceId"
import * as Shell from "../../command/Shell.js"
import type * as Connection from "../../connection/Connection.js"
import * as Subscriptions from "../../connection/Subscriptions.js"

type Status = AvailabilityStatus.AvailabilityStatus

/** Where a name is looked up. */
const placeOf = (id: string | undefined): string =>
  `${ResourceId.subscription(id)}/${ResourceId.name(id)}`.toLowerCase()

interface Flags extends Subscriptions.Flags {
  readonly withoutTenant: boolean
}

/** Returns the command for a resource of `all`, which are of `count` subscriptions. Without an ID, there is none. */
export const make = (
  connection: Connection.Health,
  given: Flags,
  { all, count, status }: { readonly status: Status; readonly all: ReadonlyArray<Status>; readonly count: number },
): string | undefined => {
  const id = AvailabilityStatus.resourceId(status)
  if (id === undefined) return undefined
  const same = all.filter((other) => placeOf(AvailabilityStatus.resourceId(other)) === placeOf(id))
  const name = ResourceId.name(id) ?? ""
  const without = given.withoutTenant ? ["--without-tenant"] : []
  if (same.length > 1 || !/^\w/.test(name)) return Shell.vigil(connection, "why", [id], without)
  const isOnly = count === 1 && !Object.values(Subscriptions.given(given)).includes(true)
  const place = isOnly ? [] : Shell.flag("--subscription", connection.names.label(ResourceId.subscription(id) ?? ""))
  return Shell.vigil(connection, "why", [name], [...place, ...without])
}
