/** `vigil apps whoami`: the user that the API token belongs to. */
import * as Command from "../command/Command.js"
import * as Connection from "../connection/Connection.js"
import * as Format from "../output/Format.js"
import * as Json from "../output/Json.js"
import * as Table from "../output/Table.js"

export const command = Command.make({
  description: "Show the user that the API token belongs to.",
  examples: ["vigil apps whoami --sandbox", "vigil apps whoami --sandbox --output json"],
  flags: { ...Connection.flags, output: Format.flag },
  run: function* ({ output: format, ...flags }) {
    const { client } = yield* Connection.appManagement(flags)
    const user = yield* client.user
    const text = (value: unknown) => (typeof value === "string" ? value : value === null ? "" : Json.text(value))
    const record = Object.fromEntries(Object.entries(user).map(([name, value]) => [name, text(value)]))
    yield* Format.one(format, {
      lines: (width) =>
        Table.render([{ heading: "FIELD" }, { heading: "VALUE", minWidth: 12 }], Object.entries(record), width).lines,
      record,
      json: user,
    })
  },
})
