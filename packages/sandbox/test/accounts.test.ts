import { describe, expect, it } from "@effect/vitest"
import { Accounts } from "@vigil/sandbox"

const seeds = [1, 2, 3, 42, 1_000]
const newUser: Accounts.User = {
  ...Accounts.make().users[0],
  id: "n",
  name: "newcomer",
  email: "new+user@vigil.example",
}

describe("the accounts of a seed", () => {
  it("depend only on the seed", () => {
    expect(Accounts.make({ seed: 7 })).toEqual(Accounts.make({ seed: 7 }))
    expect(Accounts.make()).toEqual(Accounts.make({ seed: 1 }))
    expect(Accounts.make({ seed: 7 })).not.toEqual(Accounts.make({ seed: 8 }))
  })

  it.each(seeds)("have valid references and unique names (seed %d)", (seed) => {
    const { apps, organizations, users } = Accounts.make({ seed })
    const names = users.map(({ name }) => name)
    const owners = { user: names, org: organizations.map(({ name }) => name) }
    for (const texts of [
      [...owners.user, ...owners.org],
      users.map(({ email }) => email.toLowerCase()),
      apps.map(Accounts.fullName),
      [...users, ...organizations, ...apps].map(({ id }) => id),
    ])
      expect(new Set(texts).size).toBe(texts.length)
    expect(apps).toHaveLength(12)
    for (const { members, owner } of apps) {
      expect(owners[owner.type]).toContain(owner.name)
      if (owner.type === "user") expect(members[0]).toEqual({ user: owner.name, permissions: ["manager"] })
      for (const { user } of members) expect(names).toContain(user)
      expect(new Set(members.map(({ user }) => user)).size).toBe(members.length)
    }
    for (const { members } of organizations) for (const { user } of members) expect(names).toContain(user)
  })
})

describe("changing accounts", () => {
  const accounts = Accounts.make()
  const membersOf = ({ apps }: Accounts.Accounts, name: string) =>
    apps.find((app) => Accounts.fullName(app) === name)?.members.map(({ user }) => user)

  it("adds or replaces a user by name", () => {
    const more = Accounts.putUser(newUser)(accounts)
    expect(more.users).toEqual([...accounts.users, newUser])
    const first = { ...accounts.users[0], email: "other@vigil.example" }
    expect(Accounts.putUser(first)(more).users).toEqual([first, ...accounts.users.slice(1), newUser])
  })

  it("removes a member from one app", () => {
    const removed = Accounts.removeMember("ada/atlas", "grace")(accounts)
    expect(membersOf(removed, "ada/atlas")).toEqual(
      membersOf(accounts, "ada/atlas")?.filter((user) => user !== "grace"),
    )
    expect(membersOf(removed, "grace/night.watch")).toEqual(membersOf(accounts, "grace/night.watch"))
    for (const app of ["ada/atlas", "ada/none"]) expect(Accounts.removeMember(app, "zoe")(accounts)).toEqual(accounts)
  })
})
