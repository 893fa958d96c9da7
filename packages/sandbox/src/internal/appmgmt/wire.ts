/** Apps and their users, as the API shows them (field notes, "App management"). */
import type { Accounts, App, Member, Owner } from "../../Accounts.js"
import type * as schemas from "./schemas.js"

/** The owner, with an email address if it is a person. */
const owner = ({ organizations, users }: Accounts, { name, type }: Owner) => {
  if (type === "org") {
    const found = organizations.find((organization) => organization.name === name)
    return { id: found?.id ?? "", name, type, display_name: found?.display_name ?? name }
  }
  const found = users.find((user) => user.name === name)
  const email = found === undefined ? {} : { email: found.email }
  return { id: found?.id ?? "", name, type, display_name: found?.display_name ?? name, ...email }
}

/** An app: its basic information. */
export const app = (accounts: Accounts, app: App): typeof schemas.App.Encoded => ({
  id: app.id,
  app_secret: null,
  name: app.name,
  display_name: app.display_name,
  description: app.description,
  os: app.os,
  platform: app.platform,
  origin: app.origin,
  created_at: app.created_at,
  owner: owner(accounts, app.owner),
})

/** The members of an app who have an account. */
export const members = ({ users }: Accounts, members: ReadonlyArray<Member>) =>
  members.flatMap(({ permissions, user }) => {
    const found = users.find(({ name }) => name === user)
    return found === undefined ? [] : [{ ...found, permissions }]
  })
