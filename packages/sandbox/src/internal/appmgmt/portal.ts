/** The pages of apps in the portal (document, "App identity"). Tests create tokens by `tokens` instead of a page. */
import * as Effect from "effect/Effect"
import { type Accounts, fullName, type Owner } from "../../Accounts.js"
import { escape, page } from "../htmlPage.js"
import { type Matched, part, type Part } from "../router.js"
import * as rights from "./rights.js"

const missing = Effect.fail(page({ status: 404, title: "Error", body: "<p>The app does not exist.</p>" }))

export const make = (current: Effect.Effect<Accounts>): Part => {
  const show =
    (type: Owner["type"]) =>
    ({ params: { app: name = "", owner = "" } }: Matched) =>
      Effect.flatMap(current, (accounts) => {
        const app = rights.appNamed(accounts, `${owner}/${name}`)
        if (app?.owner.type !== type) return missing
        const body = `<p><code>${escape(fullName(app))}</code> for ${escape(app.os)}.</p>\n<p>${escape(app.description ?? "")}</p>`
        return Effect.succeed(page({ status: 200, title: app.display_name, body }))
      })
  return part([
    { method: "GET", path: "/users/:owner/apps/:app", handle: show("user") },
    { method: "GET", path: "/orgs/:owner/apps/:app", handle: show("org") },
  ])
}
