/** `vigil apps`: app management. */
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import type * as User from "@vigil/appmgmt-client/User"
import * as Effect from "effect/Effect"
import * as Connection from "./Connection.js"
import * as Json from "./Json.js"
import { Output } from "./Output.js"
import * as Table from "./Table.js"

/** A profile as rows, a field a row, as the service sent them. */
const rows = (user: User.User): ReadonlyArray<ReadonlyArray<string>> =>
  Object.entries(user).map(([name, value]) => [
    name,
    typeof value === "string" ? value : value === null ? "" : Json.line(value),
  ])

const whoami = Command.make(
  "whoami",
  {
    ...Connection.flags,
    output: Options.choice("output", ["table", "json"]).pipe(
      Options.withAlias("o"),
      Options.withDescription("How the profile is printed; json is what the service sent."),
      Options.withDefault("table"),
    ),
  },
  ({ output: format, ...flags }) =>
    Effect.scoped(
      Effect.gen(function* () {
        const output = yield* Output
        const { client } = yield* Connection.appManagement(flags)
        const user = yield* client.user
        yield* format === "json"
          ? output.data([Json.line(user)])
          : output.data(Table.render([{ heading: "FIELD" }, { heading: "VALUE", least: 12 }], rows(user), output.width))
      }),
    ),
).pipe(Command.withDescription("Show the profile of the user that the API token belongs to."))

/** The command with its subcommands. */
export const command = Command.make("apps").pipe(
  Command.withDescription("App management."),
  Command.withSubcommands([whoami]),
)
