/** `vigil apps list`: the apps that the API token can access. */
import * as App from "@vigil/appmgmt-client/App"
import * as AppName from "@vigil/appmgmt-client/AppName"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import * as Command from "../Command.js"
import * as Progress from "../events/Progress.js"
import * as Format from "../output/Format.js"
import { Output } from "../output/Output.js"
import * as Connection from "../settings/Connection.js"

const nameOf = (app: App.App): string =>
  Option.match(App.nameOf(app), {
    onSome: AppName.format,
    onNone: () => app.name ?? app.id ?? "",
  })

const shape: Format.Shape<App.App> = {
  columns: [
    { heading: "APP" },
    { heading: "NAME", least: 12 },
    { heading: "OWNER", leaveOut: 2 },
    { heading: "OS", leaveOut: 3 },
    { heading: "DESCRIPTION", least: 16, leaveOut: 1 },
  ],
  row: (app) => [
    nameOf(app),
    app.display_name ?? "",
    app.owner?.type ?? "",
    app.os ?? app.platform ?? "",
    app.description ?? "",
  ],
  fields: ["id", "owner", "ownerType", "name", "displayName", "os", "platform", "description"],
  record: (app) => [
    app.id,
    app.owner?.name,
    app.owner?.type,
    app.name,
    app.display_name,
    app.os,
    app.platform,
    app.description,
  ],
  json: (app) => app,
}

export const command = Command.make({
  name: "list",
  description: "List the apps that the API token can access.",
  examples: ["vigil apps list --sandbox", "vigil apps list --sandbox --output csv"],
  flags: { ...Connection.flags, output: Format.flag },
  run: ({ output: format, ...flags }) =>
    Effect.gen(function* () {
      const { note } = yield* Output
      const { client } = yield* Connection.appManagement(flags)
      const apps = yield* client.apps
      yield* Format.list(format, shape, Stream.make(apps))
      yield* note(Progress.plural(apps.length, "app"))
    }),
})
