/** Apps and their members as the API shows them (field notes, "App management"). */
import type { Accounts, App, Member, Owner } from "../../Accounts.js"

/** The owner, with an e-mail address if it is a person. */
const owner = ({ organizations, users }: Accounts, { name, type }: Owner) => {
  if (type === "org") {
    const found = organizations.find((organization) => organization.name === name)
    return { id: found?.id, name, type, display_name: found?.display_name ?? name }
  }
  const found = users.find((user) => user.name === name)
  return { id: found?.id, name, type, display_name: found?.display_name ?? name, email: found?.email }
}

/** An app: its basic information. */
export const app = (
  accounts: Accounts,
  { created_at, description, display_name, id, name, os, platform, ...app }: App,
) => ({
  id,
  name,
  display_name,
  description,
  os,
  platform,
  created_at,
  owner: owner(accounts, app.owner),
})

/** The members of an app, of whom there is an account. */
export const members = ({ users }: Accounts, members: ReadonlyArray<Member>) =>
  members.flatMap(({ permissions, user }) => {
    const found = users.find(({ name }) => name === user)
    return found === undefined ? [] : [{ ...found, permissions }]
  })
