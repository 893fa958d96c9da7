/** What the messages about a removal have in common. */
import * as PathSegment from "@vigil/core-http/PathSegment"
import type { AppName } from "../AppName.js"

export const operation = "AppManagement.removeUser"

export const service = "app-management"

/** How to find out whether a user was removed, without the full stop. */
export const howToCheck = ({ app, owner }: AppName): string =>
  `To find out, list the users of the app in the portal or with GET ${PathSegment.join(["v0.1", "apps", owner, app, "users"])}`
