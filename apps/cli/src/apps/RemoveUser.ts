/** `vigil apps remove-user`: removes a user's access to an app. */
import * as AppName from "@vigil/appmgmt-client/AppName"
import type * as Removal from "@vigil/appmgmt-client/Removal"
import * as Effect from "effect/Effect"
import * as Command from "../Command.js"
import * as Consent from "../Consent.js"
import * as Format from "../output/Format.js"
import { Output } from "../output/Output.js"
import * as TerminalText from "../output/TerminalText.js"
import * as Connection from "../settings/Connection.js"
import * as Named from "./Named.js"

const endings = {
  Removed: { result: "removed", says: "was removed from" },
  RemovedEarlier: { result: "gone", says: "has no access to" },
  WouldRemove: { result: "would-remove", says: "would be removed from" },
} satisfies Record<Removal.Removal["_tag"] | "WouldRemove", object>

export const command = Command.make({
  name: "remove-user",
  description: "Remove a user from an app. Asks for confirmation: this command cannot undo it.",
  examples: [
    "vigil apps remove-user fleet/dispatch lin.wu@vigil.example --dry-run",
    "vigil apps remove-user fleet/dispatch lin.wu@vigil.example --yes --sandbox",
  ],
  flags: { ...Connection.flags, ...Consent.flags, output: Format.flag },
  args: { app: Named.app, email: Named.email },
  run: ({ app: name, dryRun, email, output: format, yes, ...flags }) =>
    Effect.gen(function* () {
      const app = AppName.format(name)
      const print = (ending: keyof typeof endings) => {
        const { result, says } = endings[ending]
        const record = { app, email, result }
        return Format.one(format, {
          lines: () => [TerminalText.line(`${email} ${says} ${app}.`)],
          record,
          json: record,
        })
      }
      if (dryRun) return yield* print("WouldRemove")
      const { client } = yield* Connection.appManagement(flags)
      yield* Consent.ask(`${email} will be removed from ${app}, and have no access to it any more.`, { yes })
      const removal = yield* client.removeUser(name, email)
      yield* print(removal._tag)
      if (removal._tag === "RemovedEarlier") yield* Effect.flatMap(Output, ({ note }) => note(`vigil: ${removal.note}`))
    }),
})
