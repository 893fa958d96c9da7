/** Arguments for an app and a user. */
import * as AppName from "@vigil/appmgmt-client/AppName"
import * as Email from "@vigil/appmgmt-client/Email"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Flag from "../Flag.js"
import * as PortalUrl from "./PortalUrl.js"

const parseApp = (text: string) =>
  Option.orElse(AppName.parse(text), () => Option.map(PortalUrl.parse(text), ({ name }) => name))

export const app: Flag.Argument<AppName.AppName> = {
  ...Flag.parsed("owner/app", "owner/app, or the URL of the app's page in the portal", parseApp),
  description: "The app: owner/app, or the URL of its page in the portal",
}

export const email: Flag.Argument<Email.Email> = {
  ...Flag.parsed("email", "an email address, such as ada@service.example", Schema.decodeOption(Email.Email)),
  description: "The email address of the user",
}
