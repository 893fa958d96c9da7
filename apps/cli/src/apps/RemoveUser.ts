/** `vigil apps remove-user`: removes a user's access to an app. */
import * as AppName from "@vigil/appmgmt-client/AppName"
import * as Email from "@vigil/appmgmt-client/Email"
import type * as Removal from "@vigil/appmgmt-client/Removal"
import * as TerminalText from "@vigil/health-text/TerminalText"
import * as Schema from "effect/Schema"
import * as Command from "../command/Command.js"
import * as Confirmation from "../command/Confirmation.js"
import * as Connection from "../connection/Connection.js"
import * as Flag from "../flags/Flag.js"
import * as Format from "../output/Format.js"
import * as Output from "../output/Output.js"
import * as PortalUrl from "./PortalUrl.js"

const results = {
  Removed: { result: "removed", text: "was removed from" },
  AlreadyRemoved: { result: "gone", text: "has no access to" },
  WouldRemove: { result: "would-remove", text: "would be removed from" },
} satisfies Record<Removal.Removal["_tag"] | "WouldRemove", object>

const email: Flag.Argument<Email.Email> = {
  ...Flag.parsed("email", "an email address, such as ada@service.example", Schema.decodeOption(Email.Email)),
  description: "The email address of the user",
}

export const command = Command.make({
  description: "Remove a user from an app. Asks for confirmation, because it cannot be undone.",
  examples: [
    "vigil apps remove-user fleet/dispatch lin.wu@vigil.example --dry-run",
    "vigil apps remove-user fleet/dispatch lin.wu@vigil.example --yes --sandbox",
  ],
  flags: { ...Connection.flags, ...Confirmation.flags, output: Format.flag },
  args: { app: PortalUrl.app, email },
  run: function* ({ app: name, dryRun, email, output: format, yes, ...flags }) {
    const app = AppName.format(name)
    const print = (tag: keyof typeof results) => {
      const { result, text } = results[tag]
      const record = { app, email, result }
      return Format.one(format, {
        lines: () => [TerminalText.line(`${email} ${text} ${app}.`)],
        record,
        json: record,
      })
    }
    if (dryRun) return yield* print("WouldRemove")
    const { client } = yield* Connection.appManagement(flags)
    yield* Confirmation.require(`${email} will be removed from ${app} and lose access to it.`, { yes })
    const removal = yield* client.removeUser(name, email)
    yield* print(removal._tag)
    if (removal._tag === "AlreadyRemoved") yield* Output.note(`vigil: ${removal.note}`)
  },
})
