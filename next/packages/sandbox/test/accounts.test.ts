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

  it("adds or replaces an app by owner and name", () => {
    const [atlas, ...rest] = accounts.apps
    if (atlas === undefined) throw new Error("there are no apps")
    const changed = { ...atlas, display_name: "Other" }
    const moved = { ...atlas, owner: { type: "user", name: "zoe" } } as const
    expect(Accounts.putApp(changed)(accounts).apps).toEqual([changed, ...rest])
    expect(Accounts.putApp(moved)(accounts).apps).toEqual([...accounts.apps, moved])
  })

  it("adds a member to one app, and removes it", () => {
    const put = Accounts.putMember("ada/atlas", { user: "zoe", permissions: ["tester"] })(accounts)
    expect(membersOf(put, "ada/atlas")).toEqual([...(membersOf(accounts, "ada/atlas") ?? []), "zoe"])
    const again = Accounts.putMember("ada/atlas", { user: "zoe", permissions: ["viewer"] })(put)
    expect(membersOf(again, "ada/atlas")).toEqual(membersOf(put, "ada/atlas"))
    expect(again).not.toEqual(put)
    expect(Accounts.removeMember("ada/atlas", "zoe")(again)).toEqual(accounts)
    expect(Accounts.removeMember("ada/atlas", "zoe")(accounts)).toEqual(accounts)
    expect(Accounts.putMember("ada/none", { user: "zoe", permissions: [] })(accounts)).toEqual(accounts)
  })
})
