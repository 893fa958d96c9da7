/** `vigil apps list`: the apps that the API token can access. */
import * as App from "@vigil/appmgmt-client/App"
import * as AppName from "@vigil/appmgmt-client/AppName"
import * as Stream from "effect/Stream"
import * as Command from "../command/Command.js"
import * as Connection from "../connection/Connection.js"
import * as Format from "../output/Format.js"
import * as Output from "../output/Output.js"
import type * as Printable from "../output/Printable.js"

const nameOf = (app: App.App) => {
  const name = App.nameOf(app)
  return name === undefined ? (app.name ?? app.id) : AppName.format(name)
}

const definition: Printable.Definition<App.App> = {
  columns: [
    { heading: "APP", cell: nameOf },
    { heading: "NAME", field: "displayName", minWidth: 12 },
    { heading: "OWNER", field: "ownerType", hideOrder: 2 },
    { heading: "OS", hideOrder: 3, cell: (app) => app.os ?? app.platform },
    { heading: "DESCRIPTION", field: "description", minWidth: 16, hideOrder: 1 },
  ],
  fields: {
    id: (app) => app.id,
    owner: (app) => app.owner?.name,
    ownerType: (app) => app.owner?.type,
    name: (app) => app.name,
    displayName: (app) => app.display_name,
    os: (app) => app.os,
    platform: (app) => app.platform,
    description: (app) => app.description,
  },
  json: (app) => app,
}

export const command = Command.make({
  description: "List the apps that the API token can access.",
  examples: ["vigil apps list --sandbox", "vigil apps list --sandbox --output csv"],
  flags: { ...Connection.flags, output: Format.flag },
  run: function* ({ output: format, ...flags }) {
    const { client } = yield* Connection.appManagement(flags)
    const apps = yield* client.apps
    yield* Format.list(format, definition, Stream.make(apps))
    yield* Output.note(Output.plural(apps.length, "app"))
  },
})
