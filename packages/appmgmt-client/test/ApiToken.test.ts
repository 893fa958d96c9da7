import { ApiToken, AppName } from "@vigil/appmgmt-client"
import { expect, it } from "vitest"

const own = AppName.make("ada", "atlas")
const other = AppName.make("black-box", "recorder")

it.each<[ApiToken.Description, account: string, own: string, other: string]>([
  [{ kind: "user", access: "full" }, "read change", "read change", "read change"],
  [{ kind: "user", access: "read-only" }, "read", "read", "read"],
  [{ kind: "app", access: "full", app: own }, "", "read change", ""],
  [{ kind: "app", access: "read-only", app: own }, "", "read", ""],
])("isAllowed is the table of rights, for %j", (token, ...rights) => {
  for (const [index, apps] of [[undefined], [own, AppName.make("Ada", "ATLAS")], [other]].entries())
    for (const app of apps)
      for (const action of ["read", "change"] as const)
        expect(ApiToken.isAllowed({ action, app })(token)).toBe(rights[index]?.includes(action))
})
